; Offers Enlarger under "Open with" for pictures and makes it the default of none. What Windows reads:
; https://learn.microsoft.com/windows/win32/shell/app-registration

!define OPEN_WITH "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"

!macro offerFor ENDING
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" "${ENDING}" ""
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}" "FriendlyAppName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro offerFor ".jpg"
  !insertmacro offerFor ".jpeg"
  !insertmacro offerFor ".png"
  !insertmacro offerFor ".webp"
  !insertmacro offerFor ".tif"
  !insertmacro offerFor ".tiff"
  !insertmacro offerFor ".avif"
  !insertmacro offerFor ".gif"
  !insertmacro offerFor ".bmp"
  !insertmacro offerFor ".heic"
  !insertmacro offerFor ".heif"
  !insertmacro offerFor ".jxl"
  !insertmacro offerFor ".dng"
  !insertmacro offerFor ".cr2"
  !insertmacro offerFor ".cr3"
  !insertmacro offerFor ".nef"
  !insertmacro offerFor ".arw"
  !insertmacro offerFor ".orf"
  !insertmacro offerFor ".rw2"
  !insertmacro offerFor ".raf"
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "${OPEN_WITH}"
!macroend

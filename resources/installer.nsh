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
  !insertmacro offerFor ".jfif"
  !insertmacro offerFor ".jfi"
  !insertmacro offerFor ".jif"
  !insertmacro offerFor ".pjpeg"
  !insertmacro offerFor ".pjp"
  !insertmacro offerFor ".mpo"
  !insertmacro offerFor ".png"
  !insertmacro offerFor ".apng"
  !insertmacro offerFor ".webp"
  !insertmacro offerFor ".tif"
  !insertmacro offerFor ".tiff"
  !insertmacro offerFor ".avif"
  !insertmacro offerFor ".avifs"
  !insertmacro offerFor ".jxl"
  !insertmacro offerFor ".gif"
  !insertmacro offerFor ".bmp"
  !insertmacro offerFor ".dib"
  !insertmacro offerFor ".heic"
  !insertmacro offerFor ".heif"
  !insertmacro offerFor ".hif"
  !insertmacro offerFor ".heics"
  !insertmacro offerFor ".heifs"
  !insertmacro offerFor ".dng"
  !insertmacro offerFor ".cr2"
  !insertmacro offerFor ".cr3"
  !insertmacro offerFor ".nef"
  !insertmacro offerFor ".arw"
  !insertmacro offerFor ".orf"
  !insertmacro offerFor ".rw2"
  !insertmacro offerFor ".raf"
  !insertmacro offerFor ".3fr"
  !insertmacro offerFor ".ari"
  !insertmacro offerFor ".bay"
  !insertmacro offerFor ".cap"
  !insertmacro offerFor ".crw"
  !insertmacro offerFor ".dcr"
  !insertmacro offerFor ".dcs"
  !insertmacro offerFor ".drf"
  !insertmacro offerFor ".erf"
  !insertmacro offerFor ".fff"
  !insertmacro offerFor ".gpr"
  !insertmacro offerFor ".iiq"
  !insertmacro offerFor ".k25"
  !insertmacro offerFor ".kdc"
  !insertmacro offerFor ".mdc"
  !insertmacro offerFor ".mef"
  !insertmacro offerFor ".mos"
  !insertmacro offerFor ".mrw"
  !insertmacro offerFor ".nrw"
  !insertmacro offerFor ".ori"
  !insertmacro offerFor ".pef"
  !insertmacro offerFor ".ptx"
  !insertmacro offerFor ".pxn"
  !insertmacro offerFor ".raw"
  !insertmacro offerFor ".rwl"
  !insertmacro offerFor ".rwz"
  !insertmacro offerFor ".sr2"
  !insertmacro offerFor ".srf"
  !insertmacro offerFor ".srw"
  !insertmacro offerFor ".sti"
  !insertmacro offerFor ".x3f"
  !insertmacro offerCommand
!macroend

; Windows has this folder of each person on the PATH.
!define COMMAND "$LOCALAPPDATA\Microsoft\WindowsApps\enlarger.cmd"

; Asked once, at the first installation by hand.
!macro offerCommand
  ${ifNot} ${Silent}
  ${andIfNot} ${isUpdated}
  ${andIfNot} ${FileExists} "${COMMAND}"
    MessageBox MB_YESNO|MB_ICONQUESTION "Add the command 'enlarger' for the command prompt and PowerShell?" IDNO withoutCommand
    FileOpen $0 "${COMMAND}" w
    FileWrite $0 '@"$INSTDIR\resources\bin\enlarger.cmd" %*$\r$\n'
    FileClose $0
    withoutCommand:
  ${endIf}
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "${OPEN_WITH}"
  ${ifNot} ${isUpdated}
    Delete "${COMMAND}"
    ; What was fetched for updates.
    RMDir /r "$LOCALAPPDATA\enlarger-updater"
    ${ifNot} ${Silent}
      MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Delete the queue, the settings and the results that were not saved, too?$\r$\n$\r$\nYour photos and the results you saved stay where they are." IDNO keepData
      RMDir /r "$LOCALAPPDATA\enlarger\Data"
      RMDir "$LOCALAPPDATA\enlarger"
      RMDir /r "$APPDATA\Enlarger"
      keepData:
    ${endIf}
  ${endIf}
!macroend

# This is the Homebrew cask. {{…}} are filled in from a release.
cask "enlarger" do
  arch arm: "arm64", intel: "x64"

  version "{{VERSION}}"
  sha256 arm: "{{SHA256_ARM64}}", intel: "{{SHA256_X64}}"

  url "https://github.com/{{REPOSITORY}}/releases/download/v#{version}/Enlarger-#{version}-mac-#{arch}.dmg"
  name "Enlarger"
  desc "Enlarges photos and cuts out their subjects, offline"
  homepage "https://github.com/{{REPOSITORY}}"

  auto_updates true
  depends_on macos: ">= :sonoma"

  app "Enlarger.app"
  binary "#{appdir}/Enlarger.app/Contents/Resources/bin/enlarger"

  zap trash: [
    "~/Library/Application Support/enlarger",
    "~/Library/Caches/app.enlarger.desktop.ShipIt",
    "~/Library/Caches/enlarger-updater",
    "~/Library/Preferences/app.enlarger.desktop.plist",
    "~/Library/Saved Application State/app.enlarger.desktop.savedState",
  ]
end

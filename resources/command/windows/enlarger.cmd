@rem The command line of an installed Enlarger, on the Node that it brought.
@"%~dp0node.exe" "%~dp0..\app.asar.unpacked\out\main\cli.js" %*

@rem The npm scripts begin with exec, so that signals to npm reach the program; cmd.exe has no such word.
@%*

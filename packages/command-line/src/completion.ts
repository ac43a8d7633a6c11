/** `enlarger completion SHELL` prints a script, by which the shell runs the hidden `enlarger complete` at each Tab. */
import tab from '@bomb.sh/tab/commander';
import { script } from '@bomb.sh/tab';
import type { Command } from 'commander';

const commandName = 'completion';

export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: commandName });
  const name = program.name();
  program.commands
    .find((command) => command.name() === commandName)
    ?.action((shell: Parameters<typeof script>[0]) => {
      if (shell === 'bash') process.stdout.write(bashScript(name));
      else script(shell, name, name);
    });
}

/**
 * The package's script for bash declares read-only variables, so that it fails when it is sourced twice, needs the
 * package bash-completion, and offers no files. This one works with bash 3.2 alone.
 */
const bashScript = (name: string): string => `# bash completion for ${name}
_${name}_complete() {
    local word line value
    local current=\${COMP_WORDS[COMP_CWORD]}
    local -a words=()
    [[ $current == = ]] && current=
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        # Bash splits --option=value at the sign.
        [[ $word == = ]] || words+=("$word")
    done
    COMPREPLY=()
    while IFS= read -r line; do
        value=\${line%%$'\\t'*}
        # The last line has a number for shells that can leave out the space.
        [[ $value == :* ]] && continue
        [[ $value == "$current"* ]] && COMPREPLY+=("$value")
    done < <(${name} complete -- "\${words[@]}" "$current" 2>/dev/null)
}
complete -o bashdefault -o default -F _${name}_complete ${name}
`;

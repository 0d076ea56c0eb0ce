/** Shell completion: one script for each shell, which calls the program for the completions. */
import type { Command } from '@commander-js/extra-typings'
import { Argument } from '@commander-js/extra-typings'
import type { Commands } from './result.js'

const SCRIPTS: Record<string, string> = {
  bash: `_murmuration_ctl() {
  mapfile -t COMPREPLY < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _murmuration_ctl ctl bin/ctl ./bin/ctl`,
  zsh: `#compdef ctl bin/ctl
_murmuration_ctl() {
  local -a found
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
  _files
}
compdef _murmuration_ctl ctl bin/ctl ./bin/ctl`,
  fish: `complete -c ctl -a '(set -l words (commandline -opc) (commandline -ct); $words[1] complete -- $words[2..] 2>/dev/null)'`,
}

/** Completions of the word that an operator is typing: commands, flags, or values of a flag or argument. */
export const completionsOf = (program: Command, words: readonly string[]): string[] => {
  const typed = words.at(-1) ?? ''
  let command: Command = program
  let position = 0
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find((one) => one.name() === word)
    if (next) command = next as Command
    else if (!word.startsWith('-')) position++
  }
  const flag = command.options.find((one) => one.long === words.at(-2))
  if (flag?.required) return (flag.argChoices ?? []).filter((value) => value.startsWith(typed))
  const flags = [...command.options, ...program.options].flatMap((one) => one.long ?? [])
  const values = command.registeredArguments[position]?.argChoices ?? []
  const visible = command.createHelp().visibleCommands(command)
  const all = typed.startsWith('-') ? [...flags, '--help'] : [...visible.map((one) => one.name()), ...values]
  return all.filter((one) => one.startsWith(typed))
}

export interface Described {
  /** Noun and verb of a command, such as `ip-block add`. */
  name: string
  about: string
  /** Long flags of a command, such as `--dry-run`. */
  flags: string[]
}

/** All commands that can be executed, without the built-in commands of commander. */
export const describedCommands = (program: Command, prefix = ''): Described[] =>
  program.commands.flatMap((one) => {
    const name = `${prefix}${one.name()}`
    if (one.commands.length) return describedCommands(one as Command, `${name} `)
    return [{ name, about: one.description(), flags: one.options.flatMap(({ long }) => long ?? []) }]
  })

export const addCompletionCommands = ({ program, offline }: Commands): void => {
  const shells = Object.keys(SCRIPTS)
  program
    .command('completion')
    .description('Print the script that completes commands in a shell; `eval "$(bin/ctl completion bash)"` uses it.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action(offline((shell) => ({ data: SCRIPTS[shell], text: SCRIPTS[shell] as string })))
  program.command('complete [words...]', { hidden: true }).action(
    offline((words) => {
      const found = completionsOf(program as unknown as Command, words)
      return { data: found, text: found.join('\n') }
    }),
  )
}

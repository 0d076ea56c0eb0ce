/** The command that publishes terms of service. */
import { termsOfServicePublish } from '@murmuration/contracts/admin'
import { type Command, needed } from './command.js'
import { readNamed } from './named-file.js'

export const termsCommands: Command[] = [
  {
    name: 'terms publish',
    usage: 'terms publish FILE --from DATE',
    about: 'publishes terms of service, written in Markdown, that hold from a day on (2026-12-31)',
    async run(operator, [file], { from }) {
      const text = readNamed(needed(file, 'FILE')).toString()
      const made = await operator.ask(termsOfServicePublish, { text, effective_date: needed(from, '--from') })
      return { data: made, text: `Terms of service hold from ${made.effective_date}.` }
    },
  },
]

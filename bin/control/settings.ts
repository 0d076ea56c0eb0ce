/** Commands that read and change what staff may change. */
import { settingGet, settingSet } from '@murmuration/contracts/admin'
import { type Command, needed } from './command.js'

/** Short names that people type, and what they stand for. */
const SHORT: Record<string, string> = { registrations: 'registrations_mode' }
const MODES: Record<string, string> = {
  open: 'open',
  approval: 'approved',
  approved: 'approved',
  closed: 'none',
  none: 'none',
}

export const settingCommands: Command[] = [
  {
    name: 'setting set',
    usage: 'setting set NAME VALUE',
    about: 'changes a setting: registrations open|approval|closed, and those of docs/reference/settings.md',
    async run(operator, [given, value]) {
      const name = SHORT[needed(given, 'NAME')] ?? needed(given, 'NAME')
      const text = needed(value, 'VALUE')
      if (name === 'registrations_mode' && !MODES[text]) throw new Error('registrations is open, approval or closed.')
      const answer = await operator.ask(settingSet, {
        name,
        value: name === 'registrations_mode' ? (MODES[text] ?? text) : text,
      })
      return { data: answer, text: `${name} = ${JSON.stringify(answer.value)}` }
    },
  },
  {
    name: 'setting list',
    usage: 'setting list',
    about: 'all settings and their values',
    async run(operator) {
      const { settings } = await operator.ask(settingGet, {})
      return {
        data: settings,
        text: Object.entries(settings)
          .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
          .join('\n'),
      }
    },
  },
]

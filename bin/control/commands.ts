/** Every command with its usage, and what it asks of the running services. */
import {
  accountCreateByOperator,
  firstAdmin,
  secondFactorRemoveByOperator,
  tokenCreateByOperator,
} from '@murmuration/contracts/accounts'
import { accessBlockCommands } from './access-blocks.js'
import { announcementCommands } from './announcements.js'
import { auditLogCommands } from './audit-log.js'
import { domainAllowCommands } from './domain-allows.js'
import { domainBlockCommands } from './domain-blocks.js'
import { emojiCommands } from './emojis.js'
import { federationCommands } from './federation.js'
import { joiningCommands } from './joining.js'
import type { Operator } from './operator.js'
import { queueCommands } from './queues.js'
import { recountCommands } from './recount.js'
import { relayCommands } from './relays.js'
import { ruleCommands } from './rules.js'
import { settingCommands } from './settings.js'
import { termsCommands } from './terms.js'

export interface Flags {
  json?: boolean | undefined
  email?: string | undefined
  password?: string | undefined
  role?: string | undefined
  confirmed?: boolean | undefined
  scopes?: string | undefined
  service?: string | undefined
  from?: string | undefined
  to?: string | undefined
  at?: string | undefined
  category?: string | undefined
  check?: boolean | undefined
  severity?: string | undefined
  'reject-media'?: boolean | undefined
  'reject-reports'?: boolean | undefined
  comment?: string | undefined
  'private-comment'?: string | undefined
  obfuscate?: boolean | undefined
  'dry-run'?: boolean | undefined
  'expires-in'?: string | undefined
  'allow-with-approval'?: boolean | undefined
  exact?: boolean | undefined
  hint?: string | undefined
  priority?: string | undefined
  before?: string | undefined
}

export interface Result {
  /** What `--json` prints. */
  data: unknown
  text: string
  code?: number
}

export interface Command {
  name: string
  usage: string
  about: string
  run(operator: Operator, args: string[], flags: Flags): Promise<Result>
}

/** One sentence when an argument is missing. */
export const needed = (value: string | undefined, what: string): string => {
  if (!value) throw new Error(`${what} is missing.`)
  return value
}

const people: Command[] = [
  {
    name: 'account create',
    usage: 'account create NAME --email E [--confirmed] [--role Owner|Admin|Moderator] [--password P]',
    about: 'makes a person and prints the password',
    async run(operator, [username], { email, password, role, confirmed }) {
      const made = await operator.ask(accountCreateByOperator, {
        username: needed(username, 'NAME'),
        email: needed(email, '--email'),
        confirmed: confirmed ?? false,
        ...(password ? { password } : {}),
        ...(role ? { role } : {}),
      })
      return { data: made, text: `@${made.username} (${made.email})\npassword: ${made.password}` }
    },
  },
  {
    name: 'account first-admin',
    usage: 'account first-admin',
    about: 'makes the first owner unless there is one',
    async run(operator) {
      const made = await operator.ask(firstAdmin, {})
      return {
        data: made,
        text: made.created ? `${made.email}\npassword: ${made.password}` : 'There is an owner already.',
      }
    },
  },
  {
    name: 'account remove-second-factor',
    usage: 'account remove-second-factor NAME',
    about: 'lets somebody who lost it sign in by password alone; their sessions end',
    async run(operator, [username]) {
      const { removed } = await operator.ask(secondFactorRemoveByOperator, { username: needed(username, 'NAME') })
      return { data: { removed }, text: removed ? 'Removed; they were told by mail.' : 'There was no second factor.' }
    },
  },
  {
    name: 'token create',
    usage: 'token create NAME [--scopes "read write follow push"]',
    about: 'prints a fresh token of a person',
    async run(operator, [username], { scopes }) {
      const made = await operator.ask(tokenCreateByOperator, {
        username: needed(username, 'NAME'),
        ...(scopes ? { scopes } : {}),
      })
      return { data: made, text: made.token }
    },
  },
]

export const COMMANDS: readonly Command[] = [
  ...people,
  ...joiningCommands,
  ...settingCommands,
  ...ruleCommands,
  ...auditLogCommands,
  ...announcementCommands,
  ...emojiCommands,
  ...termsCommands,
  ...domainBlockCommands,
  ...domainAllowCommands,
  ...accessBlockCommands,
  ...federationCommands,
  ...relayCommands,
  ...queueCommands,
  ...recountCommands,
]

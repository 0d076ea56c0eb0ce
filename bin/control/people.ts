/** People and tokens, made and helped by whoever runs the server. */
import {
  accountCreateByOperator,
  firstAdmin,
  secondFactorRemoveByOperator,
  tokenCreateByOperator,
} from '@murmuration/contracts/accounts'
import { type Command, needed } from './command.js'

export const peopleCommands: readonly Command[] = [
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

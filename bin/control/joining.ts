/** Commands for people who join: who waits, letting in, turning away, and a new password. */
import { passwordResetByStaff, registrationListPending } from '@murmuration/contracts/accounts'
import { adminAccountApprove, adminAccountReject } from '@murmuration/contracts/admin'
import { type Command, needed } from './command.js'
import type { Operator } from './operator.js'

/** The id of somebody who waits, by name. */
const waiting = async (operator: Operator, name: string): Promise<string> => {
  const wanted = name.replace(/^@/, '').toLowerCase()
  for (let after: string | null = '0'; after !== null; ) {
    const { people, next }: Awaited<ReturnType<typeof pageOf>> = await pageOf(operator, after)
    const found = people.find((one) => one.username.toLowerCase() === wanted)
    if (found) return found.id
    after = next
  }
  throw new Error(`Nobody named ${name} waits for approval.`)
}
const pageOf = (operator: Operator, after: string) => operator.ask(registrationListPending, { after, limit: 200 })

export const joiningCommands: Command[] = [
  {
    name: 'account pending',
    usage: 'account pending',
    about: 'people who wait for approval, oldest first',
    async run(operator) {
      const { people } = await pageOf(operator, '0')
      const lines = people.map((one) =>
        `@${one.username}  ${one.created_at.slice(0, 10)}  ${one.reason ?? ''}`.trimEnd(),
      )
      return { data: people, text: lines.join('\n') || 'Nobody waits.' }
    },
  },
  {
    name: 'account approve',
    usage: 'account approve NAME',
    about: 'lets somebody in who waits for approval; they are told by mail',
    async run(operator, [name]) {
      const answer = await operator.ask(adminAccountApprove, { id: await waiting(operator, needed(name, 'NAME')) })
      return { data: answer, text: 'Approved.' }
    },
  },
  {
    name: 'account reject',
    usage: 'account reject NAME',
    about: 'turns somebody away who waits for approval; name and address are free again',
    async run(operator, [name]) {
      const answer = await operator.ask(adminAccountReject, { id: await waiting(operator, needed(name, 'NAME')) })
      return { data: answer, text: 'Rejected.' }
    },
  },
  {
    name: 'account reset-password',
    usage: 'account reset-password NAME',
    about: 'gives somebody a new password and prints it; their sessions and tokens end',
    async run(operator, [name]) {
      const username = needed(name, 'NAME')
      const { changed, password } = await operator.ask(passwordResetByStaff, { username, tell: true })
      if (!changed) throw new Error(`There is no account named ${username}.`)
      return { data: { username, password }, text: `password: ${password}` }
    },
  },
]

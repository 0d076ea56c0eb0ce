/** Commands for pending sign-ups and new passwords. */
import { listPendingRegistrations, resetUserPassword } from '@murmuration/contracts/accounts'
import { approveAccountByStaff, rejectAccountByStaff } from '@murmuration/contracts/admin'
import { accountNamed, localName } from './account-names.js'
import type { Operator } from './operator.js'
import { type Commands, DRY_RUN, everyPage, removeOrReport } from './result.js'

const everyPending = async (operator: Operator) =>
  (await everyPage((after) => operator.call(listPendingRegistrations, { after, limit: 200 }), '0')).flatMap(
    (page) => page.people,
  )

/** Id of the pending sign-up with this username. Throws if there is no such sign-up. */
const pendingId = async (operator: Operator, name: string): Promise<string> => {
  const wanted = name.replace(/^@/, '').toLowerCase()
  const found = (await everyPending(operator)).find((one) => one.username.toLowerCase() === wanted)
  if (!found) throw new Error(`No pending sign-up is named ${name}.`)
  return found.id
}

export const addJoiningCommands = ({ group, run }: Commands): void => {
  const account = group('account', 'Accounts.')
  account
    .command('pending')
    .description('List sign-ups that wait for approval, the oldest first.')
    .action(
      run(async (operator) => {
        const users = await everyPending(operator)
        const lines = users.map((one) =>
          `@${one.username}  ${one.created_at.slice(0, 10)}  ${one.reason ?? ''}`.trimEnd(),
        )
        return { data: users, text: lines.join('\n') || 'No pending sign-ups.' }
      }),
    )
  account
    .command('approve <name>')
    .description('Approve a pending sign-up. The account gets an e-mail.')
    .action(
      run(async (operator, name) => {
        const response = await operator.call(approveAccountByStaff, { id: await pendingId(operator, name) })
        return { data: response, text: 'Approved.' }
      }),
    )
  account
    .command('reject <name>')
    .description('Reject a pending sign-up and delete it; its name and address are free again.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, name, flags) => {
        const id = await pendingId(operator, name)
        return removeOrReport(
          flags,
          async () => `the sign-up of ${name}`,
          () => operator.call(rejectAccountByStaff, { id }),
        )
      }),
    )
  account
    .command('reset-password')
    .argument('<name>', 'user name', localName)
    .description('Set a random password of an account and print it. Its sessions and tokens end.')
    .action(
      run(async (operator, username) => {
        const { id } = await accountNamed(operator, username)
        const { password } = await operator.call(resetUserPassword, { id, show: true })
        return { data: { username, password }, text: `password: ${password}` }
      }),
    )
}

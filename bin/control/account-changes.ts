/** Commands that change or delete one account of this server. */
import { InvalidArgumentError } from '@commander-js/extra-typings'
import {
  assignRole,
  changeUserEmail,
  confirmUser,
  disableUserSecondFactor,
  listRoles,
  memorializeUser,
  resetUserPassword,
} from '@murmuration/contracts/accounts'
import {
  actOnAccount,
  approveAccountByStaff,
  deleteAccountByStaff,
  enableAccount,
  showAccountForStaff,
} from '@murmuration/contracts/admin'
import { requestArchive } from '@murmuration/contracts/federation'
import { accountNamed, handleName, localName } from './account-names.js'
import type { Operator } from './operator.js'
import { type Commands, DRY_RUN, examples, removeOrReport } from './result.js'

interface Changes {
  email?: string | undefined
  confirm?: true | undefined
  role?: string | undefined
  removeRole?: true | undefined
  enable?: true | undefined
  disable?: true | undefined
  approve?: true | undefined
  resetPassword?: true | undefined
  disable2fa?: true | undefined
  memorial?: true | undefined
}

const roleNamed = async (operator: Operator, name: string): Promise<string> => {
  const roles = await operator.call(listRoles, {})
  const found = roles.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (!found) throw new Error(`There is no role named ${name}.`)
  return found.id
}

interface Step {
  wanted: boolean
  done: string
  change: (operator: Operator, id: string) => Promise<unknown>
}

/** Changes of an account for the given flags, in the order in which the changes are made. */
const stepsOf = (flags: Changes): Step[] => {
  const { email, confirm = false, role } = flags
  const step = (wanted: unknown, done: string, change: Step['change']): Step => ({ wanted: !!wanted, done, change })
  return [
    step(email, `e-mail address ${email}`, (operator, id) =>
      operator.call(changeUserEmail, { id, email: email ?? '', confirm }),
    ),
    step(confirm && !email, 'e-mail address confirmed', (operator, id) => operator.call(confirmUser, { id })),
    step(flags.approve, 'approved', (operator, id) => operator.call(approveAccountByStaff, { id })),
    step(role, `role ${role}`, async (operator, id) =>
      operator.call(assignRole, { id, role_id: await roleNamed(operator, role ?? '') }),
    ),
    step(flags.removeRole, 'no role', (operator, id) => operator.call(assignRole, { id, role_id: null })),
    step(flags.enable, 'enabled', (operator, id) => operator.call(enableAccount, { id })),
    step(flags.disable, 'disabled', (operator, id) =>
      operator.call(actOnAccount, { id, type: 'disable', send_email_notification: false }),
    ),
    step(flags.disable2fa, 'no second factor', (operator, id) => operator.call(disableUserSecondFactor, { id })),
    step(flags.memorial, 'memorial', (operator, id) => operator.call(memorializeUser, { id })),
  ].filter(({ wanted }) => wanted)
}

const modify = async (operator: Operator, name: string, flags: Changes) => {
  const { id } = await accountNamed(operator, name)
  const done: string[] = []
  // The changes are made one after the other, because one may be a precondition of the next.
  for (const step of stepsOf(flags)) {
    await step.change(operator, id).catch((error: Error) => {
      throw new Error([...done.map((one) => `Done: ${one}`), error.message].join('\n'))
    })
    done.push(step.done)
  }
  const password = flags.resetPassword ? (await operator.call(resetUserPassword, { id, show: true })).password : null
  const lines = [...done.map((one) => `@${name}: ${one}`), ...(password === null ? [] : [`password: ${password}`])]
  return { data: { id, done, ...(password === null ? {} : { password }) }, text: lines.join('\n') }
}

const addModify = ({ group, run }: Commands): void => {
  group('account', 'Accounts.')
    .command('modify')
    .argument('<name>', 'user name', localName)
    .description('Change the e-mail address, role or sign-in of an account.')
    .option('--email <address>', 'new e-mail address; the account gets a confirmation link, unless --confirm is given')
    .option('--confirm', 'confirm the e-mail address without a link')
    .option('--role <role>', 'give it a role')
    .option('--remove-role', 'remove its role')
    .option('--enable', 'let it sign in again')
    .option('--disable', 'disable its login')
    .option('--approve', 'approve a pending sign-up')
    .option('--reset-password', 'set a random password and print it; sessions and tokens end')
    .option('--disable-2fa', 'remove its second factors')
    .option('--memorial', 'mark it as that of a deceased person; nobody can sign in anymore')
    .addHelpText(
      'after',
      examples(
        'account modify alice --email alice@example.org --confirm',
        'account modify alice --role Moderator',
        'account modify alice --reset-password --disable-2fa',
      ),
    )
    .action((name, flags: Changes) => {
      const excluded = [
        [flags.role !== undefined && flags.removeRole, '--role and --remove-role'],
        [flags.enable && flags.disable, '--enable and --disable'],
      ].find(([both]) => both)
      if (excluded) throw new InvalidArgumentError(`${excluded[1]} exclude each other.`)
      if (stepsOf(flags).length === 0 && !flags.resetPassword)
        throw new InvalidArgumentError('Nothing to change: give at least one flag.')
      return run((operator) => modify(operator, name, flags))()
    })
}

export const addAccountChangeCommands = (commands: Commands): void => {
  const { group, run } = commands
  addModify(commands)
  group('account', '')
    .command('backup')
    .argument('<name>', 'user name', localName)
    .description('Create an archive of an account, which gets an e-mail when it is ready.')
    .action(
      run(async (operator, name) => {
        const { id } = await accountNamed(operator, name)
        const archive = await operator.call(requestArchive, { id })
        return { data: archive, text: 'The archive is being made.' }
      }),
    )
  group('account', '')
    .command('delete')
    .argument('<name>', 'user name, or handle of an account of another server', handleName)
    .description('Delete an account with all its data, also on other servers. This cannot be undone.')
    .option(...DRY_RUN)
    .addHelpText('after', examples('account delete alice --dry-run', 'account delete alice'))
    .action(
      run(async (operator, name, flags) => {
        const { id } = await accountNamed(operator, name)
        return removeOrReport(
          flags,
          async () => {
            const { account } = await operator.call(showAccountForStaff, { id })
            return `@${account.acct}: ${account.statuses_count} statuses, ${account.followers_count} followers`
          },
          () => operator.call(deleteAccountByStaff, { id }),
        )
      }),
    )
}

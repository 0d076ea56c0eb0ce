/** Commands that create accounts and tokens, and that help users who cannot sign in. */
import { Option } from '@commander-js/extra-typings'
import {
  createAccountByOperator,
  createTokenByOperator,
  disableUserSecondFactor,
  firstAdmin,
} from '@murmuration/contracts/accounts'
import { accountNamed, localName } from './account-names.js'
import { type Commands, DRY_RUN, examples } from './result.js'

export const addUserCommands = ({ group, run }: Commands): void => {
  const account = group('account', 'Accounts.')
  account
    .command('create <name>')
    .description('Create an account and print its password.')
    .requiredOption('--email <address>', 'e-mail address of the account')
    .option('--confirmed', 'the address counts as confirmed')
    .addOption(new Option('--role <role>', 'role of the account').choices(['Owner', 'Admin', 'Moderator'] as const))
    .option('--password <password>', 'password; a generated one when absent')
    .addHelpText('after', examples('account create alice --email alice@example.org --confirmed --role Moderator'))
    .action(
      run(async (operator, username, { email, password, role, confirmed }) => {
        const made = await operator.call(createAccountByOperator, {
          username,
          email,
          confirmed: confirmed ?? false,
          ...(password ? { password } : {}),
          ...(role ? { role } : {}),
        })
        return { data: made, text: `@${made.username} (${made.email})\npassword: ${made.password}` }
      }),
    )
  account
    .command('first-admin')
    .description('Create the first owner account, unless one exists.')
    .action(
      run(async (operator) => {
        const made = await operator.call(firstAdmin, {})
        const text = made.created ? `${made.email}\npassword: ${made.password}` : 'There is an owner already.'
        return { data: made, text }
      }),
    )
  account
    .command('remove-second-factor')
    .argument('<name>', 'user name', localName)
    .description('Remove the second factors of an account, so that it can sign in with its password. Its sessions end.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, username, { dryRun }) => {
        const { id } = await accountNamed(operator, username)
        const { removed } = await operator.call(disableUserSecondFactor, { id, dry_run: dryRun ?? false })
        if (!removed) return { data: { removed: false }, text: 'There is no second factor.' }
        return dryRun
          ? { data: { would_remove: username }, text: `Would remove: the second factor of ${username}` }
          : { data: { removed }, text: 'Removed; the person was told by e-mail.' }
      }),
    )
  group('token', 'Access tokens of the client API.')
    .command('create <name>')
    .description('Create an access token for an account and print it.')
    .option('--scopes <scopes>', 'scopes separated by spaces', 'read write follow push')
    .addHelpText('after', examples('token create alice --scopes "read write follow push"'))
    .action(
      run(async (operator, username, { scopes }) => {
        const made = await operator.call(createTokenByOperator, { username, scopes })
        return { data: made, text: made.token }
      }),
    )
}

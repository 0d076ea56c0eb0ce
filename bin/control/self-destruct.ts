/** The command that deletes all accounts of this server permanently. */
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { selfDestruct } from '@murmuration/contracts/accounts'
import { setSetting } from '@murmuration/contracts/admin'
import { type Commands, examples } from './result.js'
import { DETACH, taskResult } from './tasks.js'

const WARNING = `
This deletes every account of this server, with its statuses, media and follows. Every server that knows an account is
asked to delete it too. Nothing of this can be undone, and no name of an account can be used again at this domain.
Keep the server running until its queues are empty: docs/how-to/end-a-server.md.`

export const addSelfDestructCommands = ({ program, run }: Commands): void => {
  program
    .command('self-destruct')
    .description('Delete every account of this server, and have all other servers delete them. It cannot be undone.')
    .option('--confirm <domain>', 'the domain of this server, typed in full')
    .option('--dry-run', 'only count the accounts that would be deleted')
    .option(...DETACH)
    .addHelpText('after', WARNING)
    .addHelpText('after', examples('self-destruct --dry-run --confirm social.example'))
    .action(({ confirm, dryRun, detach }) => {
      if (confirm === undefined)
        throw new InvalidArgumentError('Type the domain of this server after --confirm. Nothing of this can be undone.')
      return run(async (operator) => {
        const dry_run = dryRun ?? false
        // The dry run comes first. It fails if the operator typed a wrong domain, so that no change is made.
        if (!dry_run) {
          const counted = await operator.call(selfDestruct, { domain: confirm, dry_run: true })
          await taskResult(operator, 'accounts', counted, WORDS, {})
          await operator.call(setSetting, { name: 'registrations_mode', value: 'none' })
        }
        const task = await operator.call(selfDestruct, { domain: confirm, dry_run })
        return taskResult(operator, 'accounts', task, WORDS, { detach })
      })()
    })
}

const WORDS = { things: 'accounts', done: 'deleted', would: 'delete' }

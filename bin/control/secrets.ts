/** Commands for stored secrets, which are encrypted with keys from SECRET_KEY_BASE. */
import { renewSecrets } from '@murmuration/contracts/admin'
import type { Task } from '@murmuration/contracts/task'
import { type Commands, examples } from './result.js'
import { DETACH, taskResult } from './tasks.js'

const unreadableOf = ({ notes }: Task): number => notes.unreadable ?? 0

const adviceOf = (task: Task): string | null => {
  const { state, dry_run } = task
  if (unreadableOf(task) > 0)
    return `${unreadableOf(task)} cannot be read with SECRET_KEY_BASE or SECRET_KEY_BASE_PREVIOUS: docs/how-to/change-the-secret-key-base.md`
  return state === 'done' && !dry_run ? 'SECRET_KEY_BASE_PREVIOUS is no longer needed.' : null
}

export const addSecretCommands = ({ group, run }: Commands): void => {
  group('secrets', 'Stored secrets: signing keys, authenticator apps, webhooks, push tokens.')
    .command('renew')
    .description('Encrypt stored secrets of SECRET_KEY_BASE_PREVIOUS with SECRET_KEY_BASE.')
    .option('--dry-run', 'only count them')
    .option(...DETACH)
    .addHelpText('after', examples('secrets renew --dry-run', 'secrets renew'))
    .action(
      run(async (operator, { dryRun, detach }) => {
        const task = await operator.call(renewSecrets, { dry_run: dryRun ?? false })
        const words = { things: 'secrets', done: 'encrypted again', would: 'encrypt again' }
        const result = await taskResult(operator, 'admin', task, words, { detach })
        if (detach) return result
        const ended = result.data as Task
        return {
          ...result,
          text: [result.text, adviceOf(ended)].filter(Boolean).join('\n'),
          code: unreadableOf(ended) > 0 ? 1 : (result.code ?? 0),
        }
      }),
    )
}

/** Operation that deletes all accounts of this server before it is shut down permanently. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'
import { Task } from '../task.js'

export const selfDestruct = operation('accounts.self-destruct.begin', {
  viewer: internal(),
  class: 'admin',
  input: z.object({
    /** Domain of this server, entered as a confirmation. */
    domain: z.string().max(300),
    dry_run: z.boolean(),
  }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that deletes every local account. Every server that knows an account gets its Delete. For operators only.',
})

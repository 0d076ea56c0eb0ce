/** What a person lets the server delete of their own once it is old. */
import { cleanupShow } from '@murmuration/contracts/statuses'
import { NO_CLEANUP } from '../../domain/cleanup.js'
import { handle } from '../../doors.js'
import { cleanupOf } from '../../store/cleanup.js'

export const show = handle(
  cleanupShow,
  async (ctx, _viewer, { account }) => (await cleanupOf(ctx.db, account)) ?? NO_CLEANUP,
)

/** Applies decisions about statuses that the request could not apply. */
import { settleStatuses } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { settleStatusesNow } from './settle.js'

export const settle = work(settleStatuses, (ctx, { strike }) => settleStatusesNow(ctx, strike))

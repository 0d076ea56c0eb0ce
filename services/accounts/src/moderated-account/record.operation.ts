/** Handler that returns accounts with the data that moderators see. */
import { accountAdminRecords } from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { adminRecords } from './record.js'

export const getAdminRecords = handle(accountAdminRecords, async (ctx, _viewer, { ids }) => ({
  records: await adminRecords(ctx, ids),
}))

/** Blocks what a list of another server or of somebody names. */
import { domainBlockImport } from '@murmuration/contracts/admin'
import { importBlocks } from '../../changes/import-blocks.js'
import { handle } from '../../doors.js'

export const importPage = handle(
  domainBlockImport,
  (ctx, viewer, { columns = null, rows, source, dry_run: dry, batch_id: batchId }) =>
    importBlocks(ctx, viewer, { columns, rows, source, dry, batchId }),
)

/** Stores or edits a remote status. */
import { putRemoteStatus } from '@murmuration/contracts/statuses'
import { putRemoteStatus as put } from '../../changes/remote.js'
import { handle } from '../../doors.js'

export const putRemote = handle(putRemoteStatus, (ctx, _viewer, { status }) => put(ctx, status))

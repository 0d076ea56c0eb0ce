/** A remote account put a status of its own first on its profile, or took it off. */
import { putRemotePin } from '@murmuration/contracts/statuses'
import { putRemotePin as put } from '../../changes/remote-pin.js'
import { handle } from '../../doors.js'

export const putRemote = handle(putRemotePin, async (ctx, _viewer, input) => ({ outcome: await put(ctx, input) }))

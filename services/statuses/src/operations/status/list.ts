/** Several statuses by id, in the order of the request. */
import { fail, jsonArray } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { listStatuses } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showNamed } from '../../views/status.js'

export const list = handle(listStatuses, async (ctx, viewer, { id: ids = [] }) => {
  if (ids.length > limits.statuses.maxFetched) throw fail('unprocessable', 'Too many ids')
  return jsonArray([...(await showNamed(ctx, viewer?.id ?? null, ids)).values()])
})

/** Actions on reported statuses, and the statuses that they change. */
import { invalidField } from '@murmuration/contracts/kit'
import type { ModeratedStatus } from '@murmuration/contracts/statuses'

const STATUS_ACTIONS = ['mark_statuses_as_sensitive', 'delete_statuses'] as const
export type StatusAction = (typeof STATUS_ACTIONS)[number]

export const statusActionOf = (given: string | null | undefined): StatusAction => {
  const action = STATUS_ACTIONS.find((one) => one === given)
  if (action === undefined) throw invalidField('Type is not included in the list')
  return action
}

/**
 * The statuses that an action changes. Statuses outside of the report are left out, and statuses that are sensitive
 * already are not marked again. Throws 422 if no status would change.
 */
export const affectedOf = (
  action: StatusAction,
  report: { status_ids: readonly string[] },
  wanted: readonly string[],
  found: readonly ModeratedStatus[],
): string[] => {
  if (wanted.some((id) => !report.status_ids.includes(id))) throw invalidField('Status ids is not included in the list')
  if (action === 'delete_statuses' && found.length === 0) throw invalidField('Status ids name no post that exists')
  const affected = action === 'delete_statuses' ? found : found.filter((one) => one.has_media && !one.sensitive)
  if (affected.length === 0) throw invalidField('Status ids name no post with visible media')
  return affected.map((one) => one.id)
}

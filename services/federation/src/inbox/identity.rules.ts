/** Returns the parts of an activity that identify it together with its id. */
import { createHash } from 'node:crypto'
import type { Activity } from '@murmuration/activitypub/vocabulary/activity'

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/**
 * Ids of objects that identify an activity together with its own id; for a Flag also the digest of its comment. Some
 * servers use one id for all activities of a type, such as `ACTOR#create`. Activities of the other types may have an
 * Undo, which names them by their own id alone.
 */
export const identityParts = (activity: Activity): string[] => {
  switch (activity.type) {
    case 'Create':
      return activity.objects.flatMap(({ id }) => id ?? [])
    case 'Update':
    case 'Delete':
      return activity.object.id === null ? [] : [activity.object.id]
    case 'Flag':
      return [...activity.objects, ...(activity.comment === '' ? [] : [digestOf(activity.comment)])]
    case 'QuoteRequest':
      return [activity.object, ...(activity.instrument.id === null ? [] : [activity.instrument.id])]
    case 'FeatureRequest':
      return [activity.object, activity.instrument]
    case 'Move':
      return [activity.object, activity.target]
    default:
      return []
  }
}

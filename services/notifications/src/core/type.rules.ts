/** Types of notifications and their properties. */
import { groupableNotificationTypes, NotificationType } from '@murmuration/contracts/entities'

const FILTERABLE = new Set<NotificationType>([
  'mention',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'quote',
  'added_to_collection',
])
const GROUPABLE = new Set<NotificationType>(groupableNotificationTypes)
/** Types whose sender is the recipient. */
const ABOUT_ONESELF = new Set<NotificationType>([
  'poll',
  'severed_relationships',
  'moderation_warning',
  'annual_report',
])
/** Types that every client supports. */
const BASELINE = new Set<NotificationType>([
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
  'annual_report',
])

/** True when the recipient's policy may hold it back. */
export const isFilterable = (type: NotificationType): boolean => FILTERABLE.has(type)

/** True when sender and recipient may be the same person. */
export const mayBeOneself = (type: NotificationType): boolean => ABOUT_ONESELF.has(type)

/** True when a filtered one asks the recipient to decide about its sender. */
export const asksForDecision = (type: NotificationType): boolean => type === 'mention' || type === 'quote'

/** True when clients that list what they know, and do not list this, are given words to show instead. */
export const needsWords = (type: NotificationType): boolean => !BASELINE.has(type)

/** The types that a list asks for; null for all, without the excluded ones. Unknown names are ignored. */
export const wantedTypes = (
  types: readonly string[] | undefined,
  excluded: readonly string[] | undefined,
): NotificationType[] | null => {
  if (!types?.length && !excluded?.length) return null
  const wanted = types?.length
    ? NotificationType.options.filter((one) => types.includes(one))
    : NotificationType.options
  return wanted.filter((one) => !excluded?.includes(one))
}

/** The key of a group without its hour; null for types that are not grouped. */
export const groupPrefix = (type: NotificationType, statusId: string | null): string | null => {
  if (!GROUPABLE.has(type)) return null
  return type === 'favourite' || type === 'reblog' ? `${type}-${statusId}` : type
}

/** The types that a client wants gathered: all that can be, unless it names some. */
export const groupedTypes = (asked: readonly string[] | undefined): NotificationType[] =>
  groupableNotificationTypes.filter((type) => !asked || asked.includes(type))

/** Whole hours since 1970. */
export const hourOf = (ms: number): number => Math.floor(ms / 3_600_000)

/** Notification types: the rules of each type, and the types that a request selects. */
import { groupableNotificationTypes, NotificationType, type notificationTypes } from '@murmuration/contracts/entities'

type Contract = typeof notificationTypes

interface TypeRules<Type extends NotificationType> {
  /** True if the policy of the recipient may filter notifications of the type. */
  readonly filterable: boolean
  /** True if the recipient may be the sender. False if accounts are not notified of their own actions. */
  readonly aboutOneself: boolean
  /** True if every client supports the type. For other types, clients that list the types they support may get a fallback text. */
  readonly baseline: boolean
  /** True if a filtered notification creates a notification request, with which the recipient decides about its sender. */
  readonly requests: boolean
  /**
   * `status`: one group per status. `type`: one group for all notifications of the type. Null: notifications of the
   * type are not grouped.
   */
  readonly groupedBy: Contract[Type]['grouped'] extends true ? 'status' | 'type' : null
  /** True if accounts get e-mails of this type before they change their e-mail settings. */
  readonly mailedByDefault: Contract[Type]['mailed'] extends true ? boolean : false
}

const usual = {
  filterable: false,
  aboutOneself: false,
  baseline: true,
  requests: false,
  groupedBy: null,
  mailedByDefault: false,
} as const

/** The rules of each notification type. The titles of each type are in `titles.ts`, and its line in e-mails is in `mail/texts.ts`. */
const rules: { readonly [Type in NotificationType]: TypeRules<Type> } = {
  mention: { ...usual, filterable: true, requests: true, mailedByDefault: true },
  status: usual,
  reblog: { ...usual, filterable: true, groupedBy: 'status' },
  favourite: { ...usual, filterable: true, groupedBy: 'status' },
  poll: { ...usual, aboutOneself: true },
  update: usual,
  quote: { ...usual, filterable: true, requests: true, mailedByDefault: true },
  quoted_update: usual,
  follow: { ...usual, filterable: true, groupedBy: 'type', mailedByDefault: true },
  follow_request: { ...usual, filterable: true, mailedByDefault: true },
  'admin.sign_up': { ...usual, baseline: false, groupedBy: 'type' },
  added_to_collection: { ...usual, filterable: true, baseline: false },
  collection_update: { ...usual, baseline: false },
  'admin.report': { ...usual, baseline: false, mailedByDefault: true },
  severed_relationships: { ...usual, aboutOneself: true, baseline: false },
  moderation_warning: { ...usual, aboutOneself: true, baseline: false },
  annual_report: { ...usual, aboutOneself: true },
}

export const isFilterable = (type: NotificationType): boolean => rules[type].filterable

/** Whether sender and recipient of a notification of this type may be the same account. */
export const mayBeOneself = (type: NotificationType): boolean => rules[type].aboutOneself

/** True if a filtered notification of the type creates a notification request. */
export const asksForDecision = (type: NotificationType): boolean => rules[type].requests

/** Whether notifications of the type have a fallback text for clients whose `supported_types` lack it. */
export const needsFallback = (type: NotificationType): boolean => !rules[type].baseline

export const isMailedByDefault = (type: NotificationType): boolean => rules[type].mailedByDefault

/**
 * The notification types that a request selects, without the excluded types; null if it names neither types nor
 * excluded types. Unknown names are ignored.
 */
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

/** The key of a group of notifications without its hour, such as `favourite-<status id>`; null for types without groups. */
export const groupPrefix = (type: NotificationType, statusId: string | null): string | null => {
  const { groupedBy } = rules[type]
  return groupedBy === 'status' ? `${type}-${statusId}` : groupedBy && type
}

/** The notification types to group: those that the client names in `grouped_types`, else all types that can be grouped. */
export const groupedTypes = (requested: readonly string[] | undefined): NotificationType[] =>
  groupableNotificationTypes.filter((type) => !requested || requested.includes(type))

/** Converts milliseconds to whole hours since 1970. */
export const hourOf = (ms: number): number => Math.floor(ms / 3_600_000)

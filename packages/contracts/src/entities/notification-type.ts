/** Types of notifications: meaning, attached entity, grouping, and e-mail. */
import { z } from 'zod'

/**
 * Entity that notifications of a type contain besides the account. `account`: no further entity. `year`: no further
 * entity in a notification, the year in a group.
 */
type Carries = 'status' | 'account' | 'collection' | 'report' | 'severance' | 'warning' | 'year'

interface TypeProperties {
  readonly about: string
  readonly carries: Carries
  /** True when notifications of the type are grouped by default. */
  readonly grouped: boolean
  /** True if users can choose to get an e-mail about notifications of the type. */
  readonly mailed: boolean
}

/** All types of notifications. After a type is added, the compiler reports the tables of services that lack it. */
export const notificationTypes = {
  mention: { about: 'A status mentions the recipient.', carries: 'status', grouped: false, mailed: true },
  status: {
    about: 'An account whose posts the recipient asked to be notified of has posted.',
    carries: 'status',
    grouped: false,
    mailed: false,
  },
  reblog: { about: 'A status of the recipient was reblogged.', carries: 'status', grouped: true, mailed: true },
  favourite: { about: 'A status of the recipient was favourited.', carries: 'status', grouped: true, mailed: true },
  poll: {
    about: 'A poll of the recipient, or with their vote, has ended.',
    carries: 'status',
    grouped: false,
    mailed: false,
  },
  update: {
    about: 'A status that the recipient reblogged was edited.',
    carries: 'status',
    grouped: false,
    mailed: false,
  },
  quote: { about: 'A status of the recipient was quoted.', carries: 'status', grouped: false, mailed: true },
  quoted_update: {
    about: 'A status that the recipient quoted was edited.',
    carries: 'status',
    grouped: false,
    mailed: false,
  },
  follow: { about: 'An account follows the recipient.', carries: 'account', grouped: true, mailed: true },
  follow_request: {
    about: 'An account asks to follow the recipient.',
    carries: 'account',
    grouped: false,
    mailed: true,
  },
  'admin.sign_up': {
    about: 'An account was created here; for staff.',
    carries: 'account',
    grouped: true,
    mailed: false,
  },
  added_to_collection: {
    about: 'The recipient was added to a collection.',
    carries: 'collection',
    grouped: false,
    mailed: false,
  },
  collection_update: {
    about: 'A collection with the recipient was changed.',
    carries: 'collection',
    grouped: false,
    mailed: false,
  },
  'admin.report': { about: 'A report was filed; for staff.', carries: 'report', grouped: false, mailed: true },
  severed_relationships: {
    about: 'A decision of staff or a domain block ended follows of the recipient.',
    carries: 'severance',
    grouped: false,
    mailed: false,
  },
  moderation_warning: {
    about: 'Staff took action against the account of the recipient.',
    carries: 'warning',
    grouped: false,
    mailed: false,
  },
  annual_report: {
    about: 'The annual report of the recipient is ready.',
    carries: 'year',
    grouped: false,
    mailed: false,
  },
} as const satisfies Readonly<Record<string, TypeProperties>>

type Table = typeof notificationTypes
type Name = keyof Table
type NamesWith<Key extends keyof TypeProperties, Value> = {
  [K in Name]: Table[K][Key] extends Value ? K : never
}[Name]

const names = Object.keys(notificationTypes) as Name[]
const namesWith = <Key extends keyof TypeProperties, Value extends TypeProperties[Key]>(
  key: Key,
  value: Value,
): NamesWith<Key, Value>[] =>
  names.filter((name): name is NamesWith<Key, Value> => (notificationTypes[name] as TypeProperties)[key] === value)

/** Notification types whose notifications contain a status. */
export const statusNotificationTypes = namesWith('carries', 'status')
/** Notification types whose notifications contain no entity besides the account. */
export const plainNotificationTypes = namesWith('carries', 'account')
/** Notification types whose notifications contain a collection. */
export const collectionNotificationTypes = namesWith('carries', 'collection')
/** Notification types that are grouped by default. */
export const groupableNotificationTypes = namesWith('grouped', true)
/** Notification types about which users may get an e-mail. */
export const mailedNotificationTypes = namesWith('mailed', true)

/** All notification types. They are also the keys of the alerts of a push subscription. */
export const NotificationType = z.enum(names).meta({ id: 'NotificationType', description: 'Type of a notification.' })
export type NotificationType = z.infer<typeof NotificationType>

const known: ReadonlySet<string> = new Set(names)

/**
 * Whether this release knows the notification type. Stored rows and events may contain types of a newer release during
 * a rolling update.
 */
export const isNotificationType = (type: string): type is NotificationType => known.has(type)

/** Entity that a notification of this type contains besides its account. */
export const carriedBy = (type: NotificationType): Carries => notificationTypes[type].carries

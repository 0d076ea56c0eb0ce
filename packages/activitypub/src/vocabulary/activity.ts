/** Types of parsed remote activities. Nothing in a parsed activity is proved yet. */

import type { Addressing } from './addresses.js'
import type { Ref } from './json.js'
import type { IncomingEmoji } from './note.js'
import type { Uri } from './uri.js'

/** Supported activity types. An EmojiReact is parsed as a Like with a reaction. */
export const activityTypes = [
  'Follow',
  'Accept',
  'Reject',
  'Undo',
  'Create',
  'Update',
  'Delete',
  'Announce',
  'Like',
  'Block',
  'Flag',
  'Move',
  'Add',
  'Remove',
  'QuoteRequest',
  'FeatureRequest',
] as const

export type ActivityType = (typeof activityTypes)[number]

/** An activity inside another: the object of an Undo, Accept or Reject, or of the Announce of a group. */
export type InnerActivity = {
  /** Type of the embedded activity as received, which may be unsupported. */
  readonly type: string
  readonly id: Uri | null
  readonly actor: Uri | null
  readonly object: Ref | null
  /** Addresses of the object as received: its id or page, and the actor and object of an activity in it. */
  readonly addresses: readonly Uri[]
  /** True for an EmojiReact, and for a Like with an emoji. */
  readonly isReaction: boolean
}

type Common = {
  /**
   * Id of the activity; null if absent or unusable. The caller must check that the id is on the origin of the actor.
   */
  readonly id: Uri | null
  readonly actor: Uri
  readonly addressing: Addressing
  /** Time in `published`, ISO 8601 UTC; null if absent. */
  readonly published: string | null
  /** Language that the `@context` of the document sets; null if it sets none. */
  readonly language: string | null
}

export type Activity = Common &
  (
    | { readonly type: 'Follow'; readonly object: Uri }
    /** `result`: URI of the authorization that an Accept grants, or null. */
    | {
        readonly type: 'Accept' | 'Reject'
        readonly object: Ref
        readonly inner: InnerActivity | null
        readonly result: Uri | null
      }
    | { readonly type: 'Undo'; readonly object: Ref; readonly inner: InnerActivity | null }
    /** A Create with several objects contains votes. `bearer`: token of a `bear:` address, needed to fetch the object; else null. */
    | { readonly type: 'Create'; readonly objects: readonly Ref[]; readonly bearer: string | null }
    | { readonly type: 'Update'; readonly object: Ref }
    | { readonly type: 'Delete'; readonly object: Ref }
    /** `inner`: the announced activity, if a group passes on an activity of another actor; else null. */
    | { readonly type: 'Announce'; readonly object: Ref; readonly inner: InnerActivity | null }
    | { readonly type: 'Like'; readonly object: Uri; readonly reaction: Reaction | null }
    /**
     * A Block with a `target` is a ban from the group `target`. A Block without `target` is a block between two
     * accounts.
     */
    | { readonly type: 'Block'; readonly object: Uri; readonly target: Uri | null }
    | { readonly type: 'Flag'; readonly objects: readonly Uri[]; readonly comment: string }
    | { readonly type: 'Move'; readonly object: Uri; readonly target: Uri }
    | { readonly type: 'Add' | 'Remove'; readonly object: Ref; readonly target: Uri }
    | { readonly type: 'QuoteRequest'; readonly object: Uri; readonly instrument: Ref }
    | { readonly type: 'FeatureRequest'; readonly object: Uri; readonly instrument: Uri }
  )

/** Reaction of a Like. `content`: an emoji, or `:shortcode:` of the custom emoji in `emoji`. */
export type Reaction = { readonly content: string; readonly emoji: IncomingEmoji | null }

type Typed<A, T> = A extends { readonly type: infer Types } ? (T extends Types ? A : never) : never
/** The members of `Activity` with the type `T`. */
export type ActivityOf<T extends ActivityType> = Typed<Activity, T>

export type ActivityRefusal =
  | 'not-an-object'
  | 'reshaped'
  | 'no-context'
  | 'bad-type'
  | 'unsupported-type'
  | 'bad-id'
  | 'bad-actor'
  | 'bad-object'
  | 'bad-target'
  | 'bad-instrument'

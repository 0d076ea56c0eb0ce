/** A parsed remote activity: one type per kind of activity, with nothing proved yet. */

import type { Addressing } from './addresses.js'
import type { Ref } from './loose.js'
import type { IncomingEmoji } from './note.js'
import type { Uri } from './uri.js'

/** The types that are understood; EmojiReact is read as a Like with a reaction. */
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

/** An activity inside another: what is undone, accepted, rejected, or passed on by a group. */
export type InnerActivity = {
  /** The type as written, which may be one that is not understood. */
  readonly type: string
  readonly id: Uri | null
  readonly actor: Uri | null
  readonly object: Ref | null
}

type Common = {
  /** Null on activities that some servers send without one. Its origin must be the actor's. */
  readonly id: Uri | null
  readonly actor: Uri
  readonly addressing: Addressing
  /** ISO 8601 UTC. */
  readonly published: string | null
  /** The language that the document's context sets. */
  readonly language: string | null
}

export type Activity = Common &
  (
    | { readonly type: 'Follow'; readonly object: Uri }
    /** `result` is the stamp of an approval. */
    | {
        readonly type: 'Accept' | 'Reject'
        readonly object: Ref
        readonly inner: InnerActivity | null
        readonly result: Uri | null
      }
    | { readonly type: 'Undo'; readonly object: Ref; readonly inner: InnerActivity | null }
    /** Several objects only for votes that are sent together. `bearer` is the token for a private address. */
    | { readonly type: 'Create'; readonly objects: readonly Ref[]; readonly bearer: string | null }
    | { readonly type: 'Update'; readonly object: Ref }
    | { readonly type: 'Delete'; readonly object: Ref }
    /** `inner` is set when a group forwards an activity of another actor. */
    | { readonly type: 'Announce'; readonly object: Ref; readonly inner: InnerActivity | null }
    | { readonly type: 'Like'; readonly object: Uri; readonly reaction: Reaction | null }
    /** With a `target` it is a ban from a community, not a block between two accounts. */
    | { readonly type: 'Block'; readonly object: Uri; readonly target: Uri | null }
    | { readonly type: 'Flag'; readonly objects: readonly Uri[]; readonly comment: string }
    | { readonly type: 'Move'; readonly object: Uri; readonly target: Uri }
    | { readonly type: 'Add' | 'Remove'; readonly object: Ref; readonly target: Uri }
    | { readonly type: 'QuoteRequest'; readonly object: Uri; readonly instrument: Ref }
    | { readonly type: 'FeatureRequest'; readonly object: Uri; readonly instrument: Uri }
  )

/** An emoji, or `:shortcode:` of the custom emoji in its tags. */
export type Reaction = { readonly content: string; readonly emoji: IncomingEmoji | null }

type Typed<A, T> = A extends { readonly type: infer Types } ? (T extends Types ? A : never) : never
/** The activities that may be of a type; some types share one shape. */
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

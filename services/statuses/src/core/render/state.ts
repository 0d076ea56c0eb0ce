/** Loaded data of a page of statuses. */
import type { AccountRelationship } from '@murmuration/contracts/accounts'
import type { Account, Collection, MediaAttachment } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import type { CardMembers } from '../card/card.js'
import type { Reactions } from '../emoji-reaction/store.js'
import type { SeenPoll } from '../poll/view.js'
import type { SeenPreview } from '../preview-card/previews.js'
import type { QuoteRow } from '../quote/store.js'
import type { LoadedStatus } from '../viewer/loaded-status.store.js'
import type { Place } from '../visibility/place.rules.js'

/**
 * All loaded data of a page of statuses, which the visibility rules and the rendering read. A status whose author, card
 * or relationship is missing is not shown.
 */
export interface State {
  viewerId: string | null
  /**
   * Account whose permission to quote and emoji reactions are shown on a page that is otherwise the same for all
   * viewers. Absent: the viewer.
   */
  quoterId?: string
  place: Place
  statuses: ReadonlyMap<string, LoadedStatus>
  /** Cards of the statuses, by `cardName`: id and revision of the status. */
  cards: ReadonlyMap<string, Json<CardMembers>>
  accounts: ReadonlyMap<string, Json<Account>>
  media: ReadonlyMap<string, Json<MediaAttachment>>
  relationships: ReadonlyMap<string, AccountRelationship>
  polls: ReadonlyMap<string, SeenPoll>
  /** Quotes by quoting status. `statuses` contains the quoted statuses, unless they are deleted. */
  quotes: ReadonlyMap<string, QuoteRow>
  /** Emoji reactions by status id. Statuses without reactions are missing. */
  reactions: ReadonlyMap<string, readonly Reactions[]>
  /** Local collections that a status links, by status id, as the viewer may see them. */
  collections: ReadonlyMap<string, readonly Json<Collection>[]>
  /** Preview cards of links, by preview id. */
  previews: ReadonlyMap<string, SeenPreview>
  /** `filtered` as JSON text, by status id. Null if the viewer has no filters. */
  filtered: ReadonlyMap<string, string> | null
  /** Time of the request in milliseconds since 1970. */
  now: number
}

/** Data of a page of statuses, loaded before rules and presentation. */
import type { Standing } from '@murmuration/contracts/accounts'
import type { Account, Collection, MediaAttachment } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import type { CardMembers } from '../card/card.js'
import type { Reactions } from '../emoji-reaction/store.js'
import type { SeenPoll } from '../poll/view.js'
import type { SeenPreview } from '../preview-card/previews.js'
import type { QuoteRow } from '../quote/store.js'
import type { Fact } from '../viewer/fact.store.js'
import type { Place } from '../visibility/place.rules.js'

/** All data that rules and presentation read. An entry that is absent from a map was not found, and drops the status. */
export interface State {
  viewerId: string | null
  /** The account whose right to quote and whose emoji reactions are shown, where nothing else is personal; else the viewer's. */
  quoterId?: string
  place: Place
  facts: ReadonlyMap<string, Fact>
  /** By `cardName`. */
  cards: ReadonlyMap<string, Json<CardMembers>>
  accounts: ReadonlyMap<string, Json<Account>>
  media: ReadonlyMap<string, Json<MediaAttachment>>
  standings: ReadonlyMap<string, Standing>
  polls: ReadonlyMap<string, SeenPoll>
  /** By the status that quotes; the quoted ones are among the facts, unless they are gone. */
  quotes: ReadonlyMap<string, QuoteRow>
  /** By status id: emoji reactions; statuses without any are absent. */
  reactions: ReadonlyMap<string, readonly Reactions[]>
  /** By status id: collections of this server that its text links to, as the viewer may see them. */
  collections: ReadonlyMap<string, readonly Json<Collection>[]>
  /** Of links, by preview id. */
  previews: ReadonlyMap<string, SeenPreview>
  /** By status id: `filtered` as JSON text; null when the viewer has no filters. */
  filtered: ReadonlyMap<string, string> | null
  /** Milliseconds since 1970, for what depends on the time. */
  now: number
}

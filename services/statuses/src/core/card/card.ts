/** Builds the card of a status: its JSON without author, counters, media and viewer state. */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { languageCodeOf, type Status } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { tagUrl } from '../address/rules.js'
import type { StatusRow } from '../status/store.js'
import { visibilityOf } from '../visibility/rules.js'

/** Members of a Status that the card contains. Other members are appended to the text of the card. */
export type CardMembers = Pick<
  Status,
  | 'id'
  | 'created_at'
  | 'edited_at'
  | 'spoiler_text'
  | 'visibility'
  | 'language'
  | 'uri'
  | 'url'
  | 'content'
  | 'mentions'
  | 'tags'
  | 'emojis'
>

/** Custom emoji of a status as the API shows them. */
export const emojisOf = (row: Pick<StatusRow, 'emojis'>): Status['emojis'] =>
  row.emojis.map((one) => ({ ...one, visible_in_picker: false, featured: false }))

/** Columns of a row from which the card is made. */
export type CardRow = Pick<
  StatusRow,
  | 'id'
  | 'created_at'
  | 'edited_at'
  | 'spoiler_text'
  | 'visibility'
  | 'language'
  | 'uri'
  | 'url'
  | 'html'
  | 'mentions'
  | 'tags'
  | 'emojis'
>

/** Builds the card. `accounts`: records of mentioned accounts; mentions of unknown accounts are omitted. */
export const cardText = (
  row: CardRow,
  accounts: ReadonlyMap<string, AccountRecord>,
  origin: string,
): Json<CardMembers> =>
  toJson<CardMembers>({
    id: row.id,
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    spoiler_text: row.spoiler_text,
    visibility: visibilityOf(row.visibility),
    language: languageCodeOf(row.language),
    uri: row.uri,
    url: row.url,
    content: row.html,
    mentions: row.mentions
      .filter((one) => !one.silent)
      .flatMap(({ id }) => {
        const person = accounts.get(id)
        return person ? [{ id, username: person.username, url: person.url, acct: person.acct }] : []
      }),
    tags: row.tags.map((name) => ({ name, url: tagUrl(origin, name) })),
    emojis: emojisOf(row),
  })

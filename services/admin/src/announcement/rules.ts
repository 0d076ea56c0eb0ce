/** Rules of announcements: which texts, periods and emoji reactions are valid. */
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

export interface Wording {
  text: string
  starts_at: Date | null
  ends_at: Date | null
  all_day: boolean
}

const MAX_CHARACTERS = 10_000

/** Throws 422 for an invalid announcement. `all_day` requires a start and an end (S-063). */
export const checkWording = ({ text, starts_at, ends_at, all_day }: Wording): void => {
  if (text.trim() === '') throw invalidField("Text can't be blank")
  if ([...text].length > MAX_CHARACTERS)
    throw invalidField(errorText('Text is too long (maximum is {most} characters)', { most: MAX_CHARACTERS }))
  if ((starts_at === null) !== (ends_at === null))
    throw invalidField(
      starts_at
        ? errorText("Ends at can't be blank when the other end is given")
        : errorText("Starts at can't be blank when the other end is given"),
    )
  if (starts_at && ends_at && ends_at < starts_at) throw invalidField('Ends at must be after it starts')
  if (all_day && starts_at === null) throw invalidField('All day needs a beginning and an end')
}

/** Matches a text that is exactly one emoji, which may be a sequence of code points. */
const EMOJI = /^\p{RGI_Emoji}$/v

/**
 * Returns a Unicode emoji with its colour selector (U+FE0F) if it has one, so that both spellings are one reaction.
 * Returns null if the text is no Unicode emoji.
 */
export const unicodeEmoji = (name: string): string | null => {
  if (name.length > 40) return null
  const coloured = `${name}\u{FE0F}`
  return EMOJI.test(name) ? name : EMOJI.test(coloured) ? coloured : null
}

/** Throws if the announcement already has eight different emoji reactions and this emoji is a ninth (S-062). */
export const checkReactionRoom = (names: readonly string[], name: string): void => {
  if (!names.includes(name) && names.length >= limits.accounts.announcementReactions)
    throw invalidField('Limit of different reactions reached')
}

export const unknownEmoji = () => invalidField('Name is not a recognized emoji')

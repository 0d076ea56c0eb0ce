/** Texts that a language needs for e-mails. Each language has one file, named after its code and listed in `list.ts`. */
import type { LoginMailKind } from '@murmuration/contracts/accounts'
import type { WarningAction } from '@murmuration/contracts/entities'
import type { MailedType } from '@murmuration/contracts/notifications'
import type { MailFacts } from '../mail.rules.js'

/** Texts about actions of staff on an account. */
export type StrikeAction = WarningAction

/** A letter in words; `button` names what its link does. */
export interface LetterWords {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: string
}

export interface MailWords {
  /** `Hello @alice,` */
  greeting(handle: string): string
  /** Before the address of the button, for readers who cannot press it. */
  readonly copyLink: string
  /** Why this mail came, for mails about the login. */
  aboutLogin(site: string): string
  /** The same for mails about notifications, with the way to fewer of them. */
  aboutNews(site: string): string
  readonly unsubscribe: string
  readonly letters: { readonly [K in LoginMailKind]: (facts: MailFacts) => LetterWords }
  /** The archive that somebody asked for can be fetched. */
  archive(facts: MailFacts): LetterWords
  /** A scheduled post could not be published; `facts`: `at` (ISO 8601), `reason` (`quote` or `other`). */
  unpublished(facts: MailFacts): LetterWords
  /** New terms of service were published; `facts`: `day`, from which they hold. */
  terms(facts: MailFacts): LetterWords
  /** Staff is asked to decide what may trend; `facts`: `tags`, `links`, `statuses`, how many of each. */
  trends(facts: MailFacts): LetterWords
  readonly strikes: { readonly [K in StrikeAction]: (facts: MailFacts) => LetterWords }
  /** Before the reasons that staff gave. */
  readonly strikeReason: string
  /** Label of the link to the strike and its appeal. */
  readonly strikeLink: string
  /** Staff is asked to decide about an appeal; `facts`: `username` of the account holder. */
  appeal(facts: MailFacts): LetterWords
  /** Before the text of the account holder. */
  readonly appealText: string
  /** Staff decided about the appeal; `facts`: `undone`, which is `no` if posts stay deleted. */
  readonly appealDecided: { readonly [K in 'approved' | 'rejected']: (facts: MailFacts) => LetterWords }
  /** Subject line: `Bob (@bob@there.example) followed you`. */
  readonly news: { readonly [K in MailedType]: (name: string) => string }
  /** Subject of a mail about several things. */
  severalNews(count: number, site: string): string
  readonly showNews: string
}

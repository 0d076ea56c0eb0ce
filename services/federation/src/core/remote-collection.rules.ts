/** A foreign collection of accounts in the form in which accounts keeps it: plain text that disturbs nothing around it. */

import type { IncomingCollectionOfAccounts } from '@murmuration/activitypub/vocabulary/read-featured-collection'
import type { RemoteCollection } from '@murmuration/contracts/accounts'
import { cleanText, htmlToPlainText } from '@murmuration/text'
import { plainName } from './plain-name.rules.js'

/** Characters of a description that are kept. */
const DESCRIPTION = 1_000

/** `first` is ignored here: items on pages are read before. */
export const remoteCollection = ({
  summaryHtml,
  name,
  first: _pages,
  ...it
}: IncomingCollectionOfAccounts): RemoteCollection => ({
  ...it,
  name: plainName(name),
  description: [...cleanText(htmlToPlainText(summaryHtml)).trim()].slice(0, DESCRIPTION).join(''),
})

/** The default privacy policy, which describes the behaviour of the software. */
import { type Message, msg, translate } from '@murmuration/messages'

/** Time of the last change of the default policy. */
export const DEFAULT_POLICY_CHANGED_AT = '2026-11-28T00:00:00.000Z'

/** Parts of the policy in Markdown. Parts that begin with a hyphen form a list with the previous one. */
const PARTS: readonly Message[] = [
  msg('# Privacy policy of {domain}'),
  msg(
    'This privacy policy describes how the software of {domain} collects, uses and shares your information. To contact the operators of this server, see the about page.',
  ),
  msg('## What information we collect'),
  msg(
    '- **Account information**: your username, your e-mail address and a hash of your password. You can also add profile information, such as a display name, a biography and pictures. Your profile is public.',
  ),
  msg(
    '- **Posts and activity**: your posts and media, your lists and filters, and the accounts that you follow, block or mute. Posts are delivered to the audience that you choose. Posts for followers and private mentions are stored on this server, and on the servers of their recipients.',
  ),
  msg(
    '- **IP addresses and devices**: when you sign in, we store your IP address and the name of your app or browser. You and the moderators can use them to detect unauthorized access and abuse.',
  ),
  msg(
    '**Posts and private mentions are not end-to-end encrypted.** The operators of this server and of receiving servers can read them. Please do not share any sensitive information over {domain}.',
  ),
  msg('## What we use your information for'),
  msg(
    '- To provide the service: to show your posts to their audience, and to let you follow and talk to other people.',
  ),
  msg('- To moderate the server and to prevent abuse.'),
  msg('- To send you notices about your account, and the e-mail notifications that you requested.'),
  msg('We do not sell your information, and we do not show advertising.'),
  msg('## Who we share your information with'),
  msg(
    'Anyone can read your public posts. They are delivered to other servers on which you have followers. Posts for followers are delivered to the servers of your followers, and private mentions to the servers of the mentioned accounts. When you delete a post, this server asks other servers to delete their copies, but cannot enforce it.',
  ),
  msg(
    'An app that you authorize can access the information for which you grant permission. It never receives your password or your e-mail address.',
  ),
  msg('## How long we keep your information'),
  msg(
    'We keep your information as long as you have an account. When you delete your account, your posts and your profile are deleted on this server, and other servers are asked to delete their copies. Information that is needed to prevent abuse may be kept longer.',
  ),
  msg('## Your choices'),
  msg(
    'You can edit or delete your profile information, approve follow requests manually, hide your follows and followers, opt out of search and discovery, and revoke the access of any app.',
  ),
]

/** Returns the default policy as Markdown, in the language of `locale` if it has a translation, else in English. */
export const defaultPrivacyPolicy = (locale: string | null | undefined, domain: string): string =>
  PARTS.map((part) => translate(locale, part, { domain }))
    .map((text, index) => (text.startsWith('- ') || index === 0 ? text : `\n${text}`))
    .join('\n')
    .concat('\n')

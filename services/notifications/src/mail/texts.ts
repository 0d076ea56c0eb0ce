/** Texts of e-mails in the language of the recipient. Translations are in the catalogue, topic `mail`. */
import type { WarningAction } from '@murmuration/contracts/entities'
import type { MailedType } from '@murmuration/contracts/notifications'
import { languageOf, translate } from '@murmuration/messages'
import { loginTexts } from './login-texts.js'
import type { MailContext, MailPart, MailPartText, Translate } from './mail.rules.js'

/**
 * Texts about the strikes of an account. Two labels have the same English text as labels of pages, but other
 * translations. The argument `place` gives these labels catalogue keys of their own.
 */
const strikeTexts = (t: Translate): Readonly<Record<WarningAction, MailPart>> => ({
  none: ({ site, handle }) => ({
    subject: t('A warning for {handle}', { handle }),
    paragraphs: [
      t('You have received a warning from the moderators of {site}. Your account was not changed.', { site }),
    ],
  }),
  disable: ({ site, handle }) => ({
    subject: t('{handle} was disabled', { handle }),
    paragraphs: [t('The moderators of {site} disabled your login. Your profile stays as it is.', { site })],
  }),
  mark_statuses_as_sensitive: ({ site, handle }) => ({
    subject: t('Posts of {handle} are marked as sensitive', { handle }),
    paragraphs: [t('The moderators of {site} marked some of your posts as sensitive.', { site })],
  }),
  delete_statuses: ({ site, handle }) => ({
    subject: t('Posts of {handle} were deleted', { handle }),
    paragraphs: [t('The moderators of {site} deleted some of your posts. They cannot be restored.', { site })],
  }),
  sensitive: ({ site, handle }) => ({
    subject: t('Media of {handle} is marked as sensitive', { handle }),
    paragraphs: [
      t('The moderators of {site} decided that your media will be marked as sensitive from now on.', { site }),
    ],
  }),
  silence: ({ site, handle }) => ({
    subject: t('{handle} was limited', { handle }),
    paragraphs: [
      t('The moderators of {site} limited your account. Only people who already follow you will see your posts.', {
        site,
      }),
    ],
  }),
  suspend: ({ site, handle }) => ({
    subject: t('{handle} was suspended', { handle }),
    paragraphs: [
      t(
        'The moderators of {site} suspended your account. Your profile is no longer visible. All of its data is deleted after thirty days.',
        { site },
      ),
    ],
  }),
})

/** Subjects of e-mails about notifications, such as `Bob (@bob@there.example) mentioned you`. */
const newsTexts = (t: Translate): Readonly<Record<MailedType, (name: string) => string>> => ({
  mention: (name) => t('{name} mentioned you', { name }),
  follow: (name) => t('{name} is now following you', { name }),
  follow_request: (name) => t('{name} requested to follow you', { name }),
  reblog: (name) => t('{name} boosted your post', { name }),
  favourite: (name) => t('{name} favourited your post', { name }),
  quote: (name) => t('{name} quoted your post', { name }),
  'admin.report': (name) => t('{name} submitted a report', { name }),
})

const textsWith = (t: Translate) => ({
  login: loginTexts(t),
  strikes: strikeTexts(t),
  news: newsTexts(t),
  greeting: (handle: string) => t('Hello {handle},', { handle }),
  /** Text before the URL that repeats the link of the button, for e-mail clients that show no buttons. */
  copyLink: t('If the button does not work, copy this address into your browser:'),
  aboutLogin: (site: string) => t('You receive this e-mail because of your account on {site}.', { site }),
  aboutNews: (site: string) =>
    t('You receive this e-mail because e-mail notifications are enabled for your account on {site}.', { site }),
  unsubscribe: t('Unsubscribe from e-mail notifications'),
  archive: ({ site }: MailContext): MailPartText => ({
    subject: t('Your archive from {site} is ready', { site }),
    paragraphs: [t('You requested a full backup of your account. It is ready for download for seven days.')],
    button: t('Download the archive'),
  }),
  /** Texts about a scheduled post that was not published. `values`: `at` (ISO 8601), `reason` (`quote` or `other`). */
  unpublished: ({ site, values }: MailContext): MailPartText => ({
    subject: t('Your scheduled post on {site} was not published', { site }),
    paragraphs: [
      t('Your post that was scheduled for {at} could not be published.', { at: values.at ?? '' }),
      values.reason === 'quote'
        ? t('The post it quotes no longer exists, or its author no longer allows you to quote it.')
        : t('The server refused it. Your app shows the reason beside the post.'),
      t('It is still in the list of your scheduled posts. You can schedule it again or delete it there.'),
    ],
  }),
  /** Texts about new terms of service. `values`: `day`, the effective date. */
  terms: ({ site, values }: MailContext): MailPartText => ({
    subject: t('New terms of service of {site}', { site }),
    paragraphs: [
      t(
        '{site} has new terms of service. They take effect on {day}. By using {site} after that day, you agree to them.',
        { site, day: values.day ?? '' },
      ),
      t(
        'You can read them now. If you do not agree, you can take your data with you and delete your account in the settings before that day.',
      ),
    ],
    button: t('Read the terms'),
  }),
  /** Texts about new trends. `values`: numbers of `tags`, `links` and `statuses` that staff has to review. */
  trends: ({ site, values }: MailContext): MailPartText => ({
    subject: t('New trends on {site} are up for review', { site }),
    paragraphs: [
      t('The following items need a review before they can be shown as trends:'),
      t('Hashtags: {tags}. Links: {links}. Statuses: {statuses}.', {
        tags: values.tags ?? '',
        links: values.links ?? '',
        statuses: values.statuses ?? '',
      }),
    ],
    button: t('Review trends'),
  }),
  strikeReason: t('{place, select, other {Reason}}', { place: 'mail' }),
  strikeLink: t('View the decision or appeal'),
  /** Texts about a new appeal. `values`: `username` of the account holder. */
  appeal: ({ site, values }: MailContext): MailPartText => ({
    subject: t('@{username} appeals a moderation decision on {site}', { username: values.username ?? '', site }),
    paragraphs: [
      t('@{username} appeals a decision of the moderators. If you approve the appeal, the decision is undone.', {
        username: values.username ?? '',
      }),
    ],
    button: t('Review the appeal'),
  }),
  appealText: t('The account holder writes'),
  /** Texts about the decision on an appeal. `values`: `undone`, which is `no` if posts stay deleted. */
  appealDecided: {
    approved: ({ site, handle, values }: MailContext): MailPartText => ({
      subject: t('Your appeal on {site} was approved', { site }),
      paragraphs: [
        t('The moderators of {site} approved your appeal. The decision about {handle} no longer stands.', {
          site,
          handle,
        }),
        ...(values.undone === 'no' ? [t('Posts that were deleted cannot be restored.')] : []),
      ],
    }),
    rejected: ({ site, handle }: MailContext): MailPartText => ({
      subject: t('Your appeal on {site} was rejected', { site }),
      paragraphs: [
        t('The moderators of {site} rejected your appeal. The decision about {handle} stands.', { site, handle }),
      ],
    }),
  },
  severalNews: (count: number, site: string) =>
    t('{count, plural, one {# notification} other {# notifications}} on {site}', { count, site }),
  showNews: t('View'),
})

export type MailTexts = ReturnType<typeof textsWith>

/** The texts of all e-mails for a locale such as `de-AT`. They are in English if its language has no translations. */
export const mailTexts = (locale: string): { code: string; texts: MailTexts } => ({
  code: languageOf(locale),
  texts: textsWith((message, args) => translate(locale, message, args)),
})

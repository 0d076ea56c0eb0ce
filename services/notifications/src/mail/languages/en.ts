/** Mails in English. */
import type { MailWords } from './words.js'

const notYou =
  'If this was not you, change your password immediately and check your sessions: someone else may know it.'
const nothingToDo = 'If you did not request this, please ignore this e-mail. Nothing will change.'

export const en: MailWords = {
  greeting: (handle) => `Hello ${handle},`,
  copyLink: 'If the button does not work, copy this address into your browser:',
  aboutLogin: (site) => `You receive this e-mail because of your account on ${site}.`,
  aboutNews: (site) => `You receive this e-mail because e-mail notifications are enabled for your account on ${site}.`,
  unsubscribe: 'Unsubscribe from e-mail notifications',
  letters: {
    confirmation: ({ site }) => ({
      subject: `Confirmation instructions for ${site}`,
      paragraphs: [
        `You have created an account on ${site} with this e-mail address. Please confirm the address to activate the account. The link is valid for two days.`,
        'If this was not you, please ignore this e-mail. The account will be deleted.',
      ],
      button: 'Verify e-mail address',
    }),
    'change-confirmation': ({ site }) => ({
      subject: `Confirm your new e-mail address for ${site}`,
      paragraphs: [
        'You requested this e-mail address for your account. To confirm the new address, open the link below. The link is valid for two days.',
        nothingToDo,
      ],
      button: 'Verify e-mail address',
    }),
    'email-changed': ({ site, facts }) => ({
      subject: `Your e-mail address on ${site} is being changed`,
      paragraphs: [
        `The e-mail address of your account is being changed to ${facts.email ?? ''}. The change takes effect when the new address is confirmed.`,
        notYou,
      ],
    }),
    'password-changed': ({ site }) => ({
      subject: `Your password on ${site} was changed`,
      paragraphs: [
        'The password of your account has been changed. You were signed out everywhere else, and apps must be authorized again.',
        'If this was not you, please reset your password immediately.',
      ],
    }),
    'password-reset': ({ site }) => ({
      subject: `Reset password instructions for ${site}`,
      paragraphs: [
        'You requested a new password for your account. The link is valid for six hours and works once.',
        nothingToDo,
      ],
      button: 'Change password',
    }),
    welcome: ({ site, handle }) => ({
      subject: `Welcome to ${site}`,
      paragraphs: [
        `Your e-mail address is confirmed, and your account ${handle} is ready.`,
        'Open any Mastodon app, enter the address of this server, and sign in.',
      ],
      button: 'Get started',
    }),
    approved: ({ site, handle }) => ({
      subject: `Your account on ${site} was approved`,
      paragraphs: [
        `The moderators of ${site} approved your request. Your account ${handle} is ready.`,
        'Open any Mastodon app, enter the address of this server, and sign in.',
      ],
      button: 'Get started',
    }),
    rejected: ({ site }) => ({
      subject: `Your request to join ${site}`,
      paragraphs: [`The moderators of ${site} rejected your request. Your data has been deleted.`],
    }),
    'sign-up-waiting': ({ site, facts }) => ({
      subject: `@${facts.username ?? ''} requested an account on ${site}`,
      paragraphs: [
        `@${facts.username ?? ''} signed up and is pending review.`,
        facts.reason ? `Their reason: ${facts.reason}` : 'They gave no reason.',
      ],
    }),
    'sign-in': ({ site, facts }) => ({
      subject: `New sign-in to ${site}`,
      paragraphs: [
        'We detected a sign-in to your account from a new IP address or browser.',
        `IP address: ${facts.ip ?? ''}. Browser: ${facts.browser || 'unknown'}. Time: ${facts.at ?? ''}.`,
        notYou,
      ],
    }),
    'second-factor-enabled': ({ site }) => ({
      subject: `Two-factor authentication on ${site} is enabled`,
      paragraphs: ['A second factor is now required to sign in.', notYou],
    }),
    'second-factor-disabled': ({ site }) => ({
      subject: `Two-factor authentication on ${site} is disabled`,
      paragraphs: ['You can now sign in with your e-mail address and password alone.', notYou],
    }),
    'recovery-code-used': ({ site }) => ({
      subject: `A backup code was used on ${site}`,
      paragraphs: ['One of your backup codes was used to sign in to your account. It is no longer valid.', notYou],
    }),
    'recovery-codes-renewed': ({ site }) => ({
      subject: `New backup codes on ${site}`,
      paragraphs: ['The previous backup codes have been invalidated, and new ones have been generated.', notYou],
    }),
    'security-key-added': ({ site, facts }) => ({
      subject: `A passkey was added on ${site}`,
      paragraphs: [`The passkey or security key “${facts.name ?? ''}” can be used to sign in to your account.`, notYou],
    }),
    'security-key-removed': ({ site, facts }) => ({
      subject: `A passkey was removed on ${site}`,
      paragraphs: [`The passkey or security key “${facts.name ?? ''}” can no longer be used.`, notYou],
    }),
    'account-removed': ({ site, handle }) => ({
      subject: `Your account on ${site} was deleted`,
      paragraphs: [
        `Your account ${handle} was deleted. Your posts are being deleted here and on other servers that follow our request.`,
        'Your username remains unavailable.',
      ],
    }),
  },
  archive: ({ site }) => ({
    subject: `Your archive from ${site} is ready`,
    paragraphs: ['You requested a full backup of your account. It is ready for download for seven days.'],
    button: 'Download the archive',
  }),
  unpublished: ({ site, facts }) => ({
    subject: `Your scheduled post on ${site} was not published`,
    paragraphs: [
      `Your post that was scheduled for ${facts.at ?? ''} could not be published.`,
      facts.reason === 'quote'
        ? 'The post it quotes no longer exists, or its author no longer allows you to quote it.'
        : 'The server refused it. Your app shows the reason beside the post.',
      'It is still in the list of your scheduled posts. You can schedule it again or delete it there.',
    ],
  }),
  terms: ({ site, facts }) => ({
    subject: `New terms of service of ${site}`,
    paragraphs: [
      `${site} has new terms of service. They take effect on ${facts.day}. By using ${site} after that day, you agree to them.`,
      'You can read them now. If you do not agree, you can take your data with you and delete your account in the settings before that day.',
    ],
    button: 'Read the terms',
  }),
  trends: ({ site, facts }) => ({
    subject: `New trends on ${site} are up for review`,
    paragraphs: [
      'The following items need a review before they can be shown as trends:',
      `Hashtags: ${facts.tags}. Links: ${facts.links}. Statuses: ${facts.statuses}.`,
    ],
    button: 'Review trends',
  }),
  strikes: {
    none: ({ site, handle }) => ({
      subject: `A warning for ${handle}`,
      paragraphs: [`You have received a warning from the moderators of ${site}. Your account was not changed.`],
    }),
    disable: ({ site, handle }) => ({
      subject: `${handle} was disabled`,
      paragraphs: [`The moderators of ${site} disabled your login. Your profile stays as it is.`],
    }),
    mark_statuses_as_sensitive: ({ site, handle }) => ({
      subject: `Posts of ${handle} are marked as sensitive`,
      paragraphs: [`The moderators of ${site} marked some of your posts as sensitive.`],
    }),
    delete_statuses: ({ site, handle }) => ({
      subject: `Posts of ${handle} were deleted`,
      paragraphs: [`The moderators of ${site} deleted some of your posts. They cannot be restored.`],
    }),
    sensitive: ({ site, handle }) => ({
      subject: `Media of ${handle} is marked as sensitive`,
      paragraphs: [`The moderators of ${site} decided that your media will be marked as sensitive from now on.`],
    }),
    silence: ({ site, handle }) => ({
      subject: `${handle} was limited`,
      paragraphs: [
        `The moderators of ${site} limited your account. Only people who already follow you will see your posts.`,
      ],
    }),
    suspend: ({ site, handle }) => ({
      subject: `${handle} was suspended`,
      paragraphs: [
        `The moderators of ${site} suspended your account. Your profile is no longer visible. All of its data is deleted after thirty days.`,
      ],
    }),
  },
  strikeReason: 'Reason',
  strikeLink: 'View the decision or appeal',
  appeal: ({ site, facts }) => ({
    subject: `@${facts.username ?? ''} appeals a moderation decision on ${site}`,
    paragraphs: [
      `@${facts.username ?? ''} appeals a decision of the moderators. If you approve the appeal, the decision is undone.`,
    ],
    button: 'Review the appeal',
  }),
  appealText: 'The account holder writes',
  appealDecided: {
    approved: ({ site, handle, facts }) => ({
      subject: `Your appeal on ${site} was approved`,
      paragraphs: [
        `The moderators of ${site} approved your appeal. The decision about ${handle} no longer stands.`,
        ...(facts.undone === 'no' ? ['Posts that were deleted cannot be restored.'] : []),
      ],
    }),
    rejected: ({ site, handle }) => ({
      subject: `Your appeal on ${site} was rejected`,
      paragraphs: [`The moderators of ${site} rejected your appeal. The decision about ${handle} stands.`],
    }),
  },
  news: {
    mention: (name) => `${name} mentioned you`,
    follow: (name) => `${name} is now following you`,
    follow_request: (name) => `${name} requested to follow you`,
    reblog: (name) => `${name} boosted your post`,
    favourite: (name) => `${name} favourited your post`,
    quote: (name) => `${name} quoted your post`,
    'admin.report': (name) => `${name} submitted a report`,
  },
  severalNews: (count, site) => `${count} notifications on ${site}`,
  showNews: 'View',
}

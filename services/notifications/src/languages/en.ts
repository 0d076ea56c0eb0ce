/** Mails in English. */
import type { MailWords } from './words.js'

const notYou = 'If this was not you, change your password now and look at your sessions: somebody else may know it.'
const nothingToDo = 'If you did not ask for this, you can ignore this message; nothing will change.'

export const en: MailWords = {
  greeting: (handle) => `Hello ${handle},`,
  copyLink: 'If the button does not work, copy this address into your browser:',
  aboutLogin: (site) => `You get this message because of your account on ${site}.`,
  aboutNews: (site) => `You get this message because you are told of notifications on ${site} by e-mail.`,
  unsubscribe: 'No more e-mails about notifications',
  letters: {
    confirmation: ({ site }) => ({
      subject: `Confirm your address for ${site}`,
      paragraphs: [
        `Somebody, hopefully you, signed up on ${site} with this address. Please confirm that it is yours. The link works for two days.`,
        'If it was not you, you can ignore this message; the account will be deleted.',
      ],
      button: 'Confirm this address',
    }),
    'change-confirmation': ({ site }) => ({
      subject: `Confirm your new address for ${site}`,
      paragraphs: [
        'You asked to use this address for your account. Please confirm that it is yours. The link works for two days.',
        nothingToDo,
      ],
      button: 'Confirm this address',
    }),
    'email-changed': ({ site, facts }) => ({
      subject: `Your address on ${site} is being changed`,
      paragraphs: [
        `The address of your account is being changed to ${facts.email ?? ''}. This counts as soon as the new address is confirmed.`,
        notYou,
      ],
    }),
    'password-changed': ({ site }) => ({
      subject: `Your password on ${site} was changed`,
      paragraphs: [
        'Your password was changed. You were signed out everywhere else, and apps have to be authorized again.',
        'If this was not you, ask for a new password now.',
      ],
    }),
    'password-reset': ({ site }) => ({
      subject: `A new password for ${site}`,
      paragraphs: [
        'Somebody, hopefully you, asked for a new password for your account. The link works for six hours, once.',
        nothingToDo,
      ],
      button: 'Choose a new password',
    }),
    welcome: ({ site, handle }) => ({
      subject: `Welcome to ${site}`,
      paragraphs: [
        `Your address is confirmed, and your account ${handle} is ready.`,
        'Open any app for this network, give it the address of this server, and sign in.',
      ],
      button: 'Begin',
    }),
    approved: ({ site, handle }) => ({
      subject: `Your account on ${site} was approved`,
      paragraphs: [
        `The people who run ${site} approved your request. Your account ${handle} is ready.`,
        'Open any app for this network, give it the address of this server, and sign in.',
      ],
      button: 'Begin',
    }),
    rejected: ({ site }) => ({
      subject: `Your request to join ${site}`,
      paragraphs: [`The people who run ${site} did not approve your request. What you sent was deleted.`],
    }),
    'sign-up-waiting': ({ site, facts }) => ({
      subject: `@${facts.username ?? ''} asks to join ${site}`,
      paragraphs: [
        `@${facts.username ?? ''} signed up and waits for approval.`,
        facts.reason ? `Their reason: ${facts.reason}` : 'They gave no reason.',
      ],
    }),
    'sign-in': ({ site, facts }) => ({
      subject: `A sign-in to ${site} from a new place`,
      paragraphs: [
        'Somebody signed in to your account from a place that we do not know.',
        `Address: ${facts.ip ?? ''}. Browser: ${facts.browser || 'unknown'}. Time: ${facts.at ?? ''}.`,
        notYou,
      ],
    }),
    'second-factor-enabled': ({ site }) => ({
      subject: `A second factor now protects your account on ${site}`,
      paragraphs: ['From now on signing in takes your password and a second factor.', notYou],
    }),
    'second-factor-disabled': ({ site }) => ({
      subject: `The second factor on ${site} was turned off`,
      paragraphs: ['From now on signing in takes your password alone.', notYou],
    }),
    'recovery-code-used': ({ site }) => ({
      subject: `A backup code was used on ${site}`,
      paragraphs: ['Somebody signed in to your account with one of your backup codes. It works no more.', notYou],
    }),
    'recovery-codes-renewed': ({ site }) => ({
      subject: `New backup codes on ${site}`,
      paragraphs: ['New backup codes were made. The ones before work no more.', notYou],
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
        `Your account ${handle} was deleted, and what you wrote is being erased here and on other servers that follow our request.`,
        'Nobody can take your user name. Farewell.',
      ],
    }),
  },
  archive: ({ site }) => ({
    subject: `Your archive from ${site} is ready`,
    paragraphs: ['The archive of your account that you asked for can be downloaded for seven days.'],
    button: 'Go to the archive',
  }),
  terms: ({ site, facts }) => ({
    subject: `New terms of service of ${site}`,
    paragraphs: [
      `${site} has new terms of service. They hold from ${facts.day} on; whoever goes on using ${site} after that day agrees to them.`,
      'You can read them now. If you do not agree, you can take your data with you and delete your account in the settings before that day.',
    ],
    button: 'Read the terms',
  }),
  trends: ({ site, facts }) => ({
    subject: `New trends on ${site} wait for a decision`,
    paragraphs: [
      'These are talked of more than usual, and are shown as trends once you allow it:',
      `Hashtags: ${facts.tags}. Links: ${facts.links}. Statuses: ${facts.statuses}.`,
    ],
  }),
  strikes: {
    none: ({ site, handle }) => ({
      subject: `A warning for ${handle}`,
      paragraphs: [`The moderators of ${site} warn you. Nothing about your account was changed.`],
    }),
    disable: ({ site, handle }) => ({
      subject: `${handle} was disabled`,
      paragraphs: [`The moderators of ${site} disabled your login. Your profile stays as it is.`],
    }),
    sensitive: ({ site, handle }) => ({
      subject: `Media of ${handle} is marked as sensitive`,
      paragraphs: [`The moderators of ${site} decided that all media you share is shown as sensitive from now on.`],
    }),
    silence: ({ site, handle }) => ({
      subject: `${handle} was limited`,
      paragraphs: [
        `The moderators of ${site} limited your account. Only people who follow you already see what you write.`,
      ],
    }),
    suspend: ({ site, handle }) => ({
      subject: `${handle} was suspended`,
      paragraphs: [
        `The moderators of ${site} suspended your account. Your profile is no longer to be seen; everything in it is deleted after thirty days.`,
      ],
    }),
  },
  strikeReason: 'The moderators say',
  news: {
    mention: (name) => `${name} mentioned you`,
    follow: (name) => `${name} follows you`,
    follow_request: (name) => `${name} asks to follow you`,
    reblog: (name) => `${name} boosted your post`,
    favourite: (name) => `${name} favourited your post`,
    quote: (name) => `${name} quoted your post`,
    'admin.report': (name) => `${name} filed a report`,
  },
  severalNews: (count, site) => `${count} notifications on ${site}`,
  showNews: 'Show',
}

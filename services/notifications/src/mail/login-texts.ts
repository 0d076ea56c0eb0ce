/** Texts of e-mails about the login. */
import type { LoginMailKind } from '@murmuration/contracts/accounts'
import type { MailPart, Translate } from './mail.rules.js'

export const loginTexts = (t: Translate): Readonly<Record<LoginMailKind, MailPart>> => {
  const notYou = t(
    'If this was not you, change your password immediately and check your sessions: someone else may know it.',
  )
  const nothingToDo = t('If you did not request this, please ignore this e-mail. Nothing will change.')
  return {
    confirmation: ({ site }) => ({
      subject: t('Confirmation instructions for {site}', { site }),
      paragraphs: [
        t(
          'You have created an account on {site} with this e-mail address. Please confirm the address to activate the account. The link is valid for two days.',
          { site },
        ),
        t('If this was not you, please ignore this e-mail. The account will be deleted.'),
      ],
      button: t('Verify e-mail address'),
    }),
    'change-confirmation': ({ site }) => ({
      subject: t('Confirm your new e-mail address for {site}', { site }),
      paragraphs: [
        t(
          'You requested this e-mail address for your account. To confirm the new address, open the link below. The link is valid for two days.',
        ),
        nothingToDo,
      ],
      button: t('Verify e-mail address'),
    }),
    'email-changed': ({ site, values }) => ({
      subject: t('Your e-mail address on {site} is being changed', { site }),
      paragraphs: [
        t(
          'The e-mail address of your account is being changed to {email}. The change takes effect when the new address is confirmed.',
          { email: values.email ?? '' },
        ),
        notYou,
      ],
    }),
    'password-changed': ({ site }) => ({
      subject: t('Your password on {site} was changed', { site }),
      paragraphs: [
        t(
          'The password of your account has been changed. You were signed out everywhere else, and apps must be authorized again.',
        ),
        t('If this was not you, please reset your password immediately.'),
      ],
    }),
    'password-reset': ({ site }) => ({
      subject: t('Reset password instructions for {site}', { site }),
      paragraphs: [
        t('You requested a new password for your account. The link is valid for six hours and works once.'),
        nothingToDo,
      ],
      button: t('{place, select, other {Change password}}', { place: 'mail' }),
    }),
    welcome: ({ site, handle }) => ({
      subject: t('Welcome to {site}', { site }),
      paragraphs: [
        t('Your e-mail address is confirmed, and your account {handle} is ready.', { handle }),
        t('Open any Mastodon app, enter the address of this server, and sign in.'),
      ],
      button: t('Get started'),
    }),
    approved: ({ site, handle }) => ({
      subject: t('Your account on {site} was approved', { site }),
      paragraphs: [
        t('The moderators of {site} approved your request. Your account {handle} is ready.', { site, handle }),
        t('Open any Mastodon app, enter the address of this server, and sign in.'),
      ],
      button: t('Get started'),
    }),
    rejected: ({ site }) => ({
      subject: t('Your request to join {site}', { site }),
      paragraphs: [t('The moderators of {site} rejected your request. Your data has been deleted.', { site })],
    }),
    'sign-up-waiting': ({ site, values }) => ({
      subject: t('@{username} requested an account on {site}', { username: values.username ?? '', site }),
      paragraphs: [
        t('@{username} signed up and is pending review.', { username: values.username ?? '' }),
        values.reason ? t('Their reason: {reason}', { reason: values.reason }) : t('They gave no reason.'),
      ],
    }),
    'sign-in': ({ site, values }) => ({
      subject: t('New sign-in to {site}', { site }),
      paragraphs: [
        t('We detected a sign-in to your account from a new IP address or browser.'),
        t('IP address: {ip}. Browser: {browser}. Time: {at}.', {
          ip: values.ip ?? '',
          browser: values.browser || t('unknown'),
          at: values.at ?? '',
        }),
        notYou,
      ],
    }),
    'second-factor-enabled': ({ site }) => ({
      subject: t('Two-factor authentication on {site} is enabled', { site }),
      paragraphs: [t('A second factor is now required to sign in.'), notYou],
    }),
    'second-factor-disabled': ({ site }) => ({
      subject: t('Two-factor authentication on {site} is disabled', { site }),
      paragraphs: [t('You can now sign in with your e-mail address and password alone.'), notYou],
    }),
    'recovery-code-used': ({ site }) => ({
      subject: t('A backup code was used on {site}', { site }),
      paragraphs: [t('One of your backup codes was used to sign in to your account. It is no longer valid.'), notYou],
    }),
    'recovery-codes-renewed': ({ site }) => ({
      subject: t('New backup codes on {site}', { site }),
      paragraphs: [t('The previous backup codes have been invalidated, and new ones have been generated.'), notYou],
    }),
    'security-key-added': ({ site, values }) => ({
      subject: t('A passkey was added on {site}', { site }),
      paragraphs: [
        t('The passkey or security key “{name}” can be used to sign in to your account.', { name: values.name ?? '' }),
        notYou,
      ],
    }),
    'security-key-removed': ({ site, values }) => ({
      subject: t('A passkey was removed on {site}', { site }),
      paragraphs: [
        t('The passkey or security key “{name}” can no longer be used.', { name: values.name ?? '' }),
        notYou,
      ],
    }),
    'account-removed': ({ site, handle }) => ({
      subject: t('Your account on {site} was deleted', { site }),
      paragraphs: [
        t(
          'Your account {handle} was deleted. Your posts are being deleted here and on other servers that follow our request.',
          { handle },
        ),
        t('Your username remains unavailable.'),
      ],
    }),
    'token-created': ({ site, handle, values }) => ({
      subject: t('An access token for your account on {site} was created', { site }),
      paragraphs: [
        t(
          'A moderator of {site} created an access token for your account {handle}. It can read your posts and messages, and act as you.',
          { site, handle },
        ),
        ...(values.expires_at ? [t('It is valid until {at}.', { at: values.expires_at })] : []),
        t(
          'You can revoke it in the settings, among the authorized apps. The audit log of the server names the moderator.',
        ),
      ],
    }),
  }
}

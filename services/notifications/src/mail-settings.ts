/** Settings of outgoing mail. */
import { bool, certificates, int, oneOf, type Settings, secret, text } from '@murmuration/kernel'

export const mailSettings = {
  smtpServer: text('SMTP_SERVER', {
    or: '',
    about: 'Host of the mail server. Without it, e-mails are written to files in MAIL_DIR, except in production.',
  }),
  smtpPort: int('SMTP_PORT', { or: 587, min: 1, max: 65_535, about: 'Port of the mail server.' }),
  smtpLogin: text('SMTP_LOGIN', { or: '', about: 'User at the mail server; none when empty.' }),
  smtpPassword: secret('SMTP_PASSWORD', { or: '', about: 'Password of SMTP_LOGIN.' }),
  smtpFrom: text('SMTP_FROM_ADDRESS', {
    or: '',
    about: 'Sender, as address or Name <address>; notifications@LOCAL_DOMAIN when empty.',
  }),
  smtpReplyTo: text('SMTP_REPLY_TO', { or: '', about: 'Address for replies; the sender when empty.' }),
  smtpReturnPath: text('SMTP_RETURN_PATH', {
    or: '',
    about: 'Address for bounces of undeliverable e-mails; the sender when empty.',
  }),
  smtpDomain: text('SMTP_DOMAIN', {
    or: '',
    about: 'Host name in EHLO; LOCAL_DOMAIN when empty.',
  }),
  smtpAuth: oneOf('SMTP_AUTH_METHOD', ['plain', 'login', 'cram_md5', 'none'], {
    or: 'plain',
    about: 'Authentication method for SMTP_LOGIN.',
  }),
  smtpTls: bool('SMTP_TLS', { or: false, about: 'TLS from the first byte, as on port 465.' }),
  smtpSsl: bool('SMTP_SSL', { or: false, about: 'Alias of SMTP_TLS.' }),
  smtpStartTls: oneOf('SMTP_ENABLE_STARTTLS', ['auto', 'always', 'never'], {
    or: 'auto',
    about: 'STARTTLS: if the server offers it, always, or never.',
  }),
  smtpVerify: oneOf('SMTP_OPENSSL_VERIFY_MODE', ['peer', 'none'], {
    or: 'peer',
    about: 'Whether the certificate of the mail server is verified.',
  }),
  smtpCaFile: certificates('SMTP_CA_FILE', {
    or: '',
    about:
      'PEM file of certificate authorities to trust for the mail server only, besides the public ones and those of EXTRA_CA_FILE.',
  }),
  mailDir: text('MAIL_DIR', { or: '.data/mail', about: 'Folder for e-mails without a mail server.' }),
} satisfies Settings

/** Settings of outgoing mail. */
import { bool, int, oneOf, type Settings, secret, text } from '@murmuration/kernel'

export const mailSettings = {
  smtpServer: text('SMTP_SERVER', {
    or: '',
    about: 'Host of the mail server. Without it mails are written as files in MAIL_DIR, except in production.',
  }),
  smtpPort: int('SMTP_PORT', { or: 587, min: 1, max: 65_535, about: 'Port of the mail server.' }),
  smtpLogin: text('SMTP_LOGIN', { or: '', about: 'User at the mail server; none when empty.' }),
  smtpPassword: secret('SMTP_PASSWORD', { or: '', about: 'Password of SMTP_LOGIN.' }),
  smtpFrom: text('SMTP_FROM_ADDRESS', {
    or: '',
    about: 'Sender, as address or Name <address>; notifications@LOCAL_DOMAIN when empty.',
  }),
  smtpReplyTo: text('SMTP_REPLY_TO', { or: '', about: 'Where answers go, when not to the sender.' }),
  smtpReturnPath: text('SMTP_RETURN_PATH', { or: '', about: 'Where undeliverable mail comes back to.' }),
  smtpDomain: text('SMTP_DOMAIN', {
    or: '',
    about: 'Name by which we greet the mail server; LOCAL_DOMAIN when empty.',
  }),
  smtpAuth: oneOf('SMTP_AUTH_METHOD', ['plain', 'login', 'cram_md5', 'none'], {
    or: 'plain',
    about: 'How SMTP_LOGIN is proved.',
  }),
  smtpTls: bool('SMTP_TLS', { or: false, about: 'TLS from the first byte, as on port 465.' }),
  smtpSsl: bool('SMTP_SSL', { or: false, about: 'The same as SMTP_TLS.' }),
  smtpStartTls: oneOf('SMTP_ENABLE_STARTTLS', ['auto', 'always', 'never'], {
    or: 'auto',
    about: 'Whether the connection becomes TLS: when offered, always, or never.',
  }),
  smtpVerify: oneOf('SMTP_OPENSSL_VERIFY_MODE', ['peer', 'none'], {
    or: 'peer',
    about: 'Whether the certificate of the mail server must be good.',
  }),
  smtpCaFile: text('SMTP_CA_FILE', { or: '', about: 'File with further certificate authorities, in PEM form.' }),
  mailDir: text('MAIL_DIR', { or: '.data/mail', about: 'Folder for mails when there is no mail server.' }),
} satisfies Settings

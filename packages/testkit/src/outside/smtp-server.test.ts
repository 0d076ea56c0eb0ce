/** The fake mail server receives e-mails of a real mailer. */
import { createTransport } from 'nodemailer'
import { afterEach, expect, test } from 'vitest'
import { createAuthority } from './certificate-authority.js'
import { type SmtpOptions, type SmtpServer, startSmtpServer } from './smtp-server.js'

const open: SmtpServer[] = []
const start = async (options: SmtpOptions = {}) => {
  const server = await startSmtpServer(options)
  open.push(server)
  return server
}
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())))

const letter = {
  from: 'Murmuration <notifications@local.example>',
  to: ['alice@mail.example', 'bob@mail.example'],
  subject: 'Grüße aus dem Schwarm – bestätige deine Adresse bitte möglichst bald, ja?',
  text: `Hällo,\n.a line that begins with a dot\nhttps://local.example/confirm/${'x'.repeat(90)}`,
  html: '<p>Hällo</p>',
}

test('a mail arrives whole: envelope, subject, both bodies', async () => {
  const server = await start()
  await createTransport({ host: server.host, port: server.port, ignoreTLS: true }).sendMail(letter)
  const mail = await server.mails.next((one) => one.to.includes('bob@mail.example'))
  expect(mail).toMatchObject({
    from: 'notifications@local.example',
    to: letter.to,
    subject: letter.subject,
    secure: false,
  })
  expect(mail.text.trim()).toBe(letter.text.replaceAll('\n', '\r\n'))
  expect(mail.html.trim()).toBe(letter.html)
  expect(mail.headers.from).toBe(letter.from)
})

test('sign-in is checked, over TLS that the authority vouches for', async () => {
  const authority = createAuthority()
  const credentials = { user: 'mailer', password: 'pass word' }
  const server = await start({ tls: authority.issue(['smtp.example']), credentials })
  const transport = (pass: string, authMethod?: string) =>
    createTransport({
      host: server.host,
      port: server.port,
      requireTLS: true,
      tls: { ca: authority.certificate, servername: 'smtp.example' },
      auth: { user: credentials.user, pass },
      ...(authMethod && { authMethod }),
    })
  await transport(credentials.password).sendMail(letter)
  await transport(credentials.password, 'LOGIN').sendMail(letter)
  expect(server.mails.all.map((mail) => mail.secure)).toEqual([true, true])
  await expect(transport('wrong').sendMail(letter)).rejects.toThrow('535')
  const anonymous = createTransport({ host: server.host, port: server.port, ignoreTLS: true })
  await expect(anonymous.sendMail(letter)).rejects.toThrow('530')
})

test('it refuses recipients as configured, temporarily or permanently', async () => {
  const server = await start()
  const transport = createTransport({ host: server.host, port: server.port, ignoreTLS: true })
  const one = { ...letter, to: 'alice@mail.example' }
  server.refuseWith(451, 1)
  await expect(transport.sendMail(one)).rejects.toMatchObject({ responseCode: 451 })
  await transport.sendMail(one)
  server.refuseWith(550)
  await expect(transport.sendMail(one)).rejects.toMatchObject({ responseCode: 550 })
  expect(server.mails.all).toHaveLength(1)
})

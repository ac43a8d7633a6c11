/** Page with the calls that programs of other services may make; no remote resources. */
import type { FastifyReply } from 'fastify';
import { compatTable, type CompatRow } from './table.ts';

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

export function sendCompatPage(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(compatPage());
}

function compatPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Programs of other services - Enlarger</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Programs of other services</h1>
<p>Programs that were written for these services work with Enlarger. Switch it on in Connect programs, Other services
(or with <code>--compat-port</code>), give the program the address that stands there in place of <code>ADDRESS</code>,
and a key of Enlarger in place of <code>KEY</code>. Pictures are made on this machine, before those of batches; a
request that its program gives up is cancelled. What a service has and is neither named here as mapped nor as refused
changes nothing of the picture.</p>
${compatTable.map(section).join('\n')}
<p><a href="/api/docs">Enlarger's own API</a></p>
</main>
</body>
</html>
`;
}

function section({ family, routes, key, mapped, refused, clients }: CompatRow): string {
  const rows = [
    ['Routes', list(routes.map(code))],
    ['Key', escaped(key)],
    ['Mapped', list(mapped.map(escaped))],
    ['Refused', list(refused.map(escaped))],
    ['To change', list(clients.map(([client, change]) => `${escaped(client)}: ${code(change)}`))],
  ] as const;
  const lines = rows.map(([head, cell]) => `<tr><th scope="row">${head}</th><td>${cell}</td></tr>`);
  return `<h2>${escaped(family)}</h2>\n<table>${lines.join('\n')}</table>`;
}

const list = (items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
const code = (text: string) => `<code>${escaped(text)}</code>`;
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th { width: 7rem; }
th, td { padding: 6px 12px 6px 0; border-top: 1px solid #8886; text-align: start; vertical-align: top; }
ul { margin: 0; padding-left: 1.1rem; }
code { overflow-wrap: anywhere; }
`;

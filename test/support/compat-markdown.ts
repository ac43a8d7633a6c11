/** docs/compatibility.md, as it stands in the checkout: made from the table that the service shows. */
import { compatTable, type CompatRow } from '../../packages/compat/src/index.ts';

const head = `# Programs of other services

Programs that were written for the services below work with Enlarger, on a port of its own at 127.0.0.1 that is closed until you open it: in the window under **Connect programs**, **Other services**, or with \`--compat-port 8517\` (\`0\`: any free one). Give the program that address (\`ADDRESS\` below) and a key of Enlarger (\`KEY\`). The same page is served offline at \`/api/compatibility\`.

Host and Origin are guarded as on the service's own port. Pictures are fetched by the same rules, wait in the same queue, before those of batches, and are cancelled when the program goes away. What would change the picture and is not made here is refused in the service's own form. No key is needed only while **Without a key** is switched on.
`;

export function compatMarkdown(): string {
  return [head, ...compatTable.map(section)].join('\n');
}

function section({ family, routes, key, mapped, refused, clients }: CompatRow): string {
  const cell = (items: readonly string[]) => items.join('<br>').replaceAll('|', '\\|');
  const rows = [
    ['routes', cell(routes.map((route) => `\`${route}\``))],
    ['key', key],
    ['mapped', cell(mapped)],
    ['refused', cell(refused)],
    ['to change', cell(clients.map(([client, change]) => `${client}: \`${change}\``))],
  ];
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return [`## ${family}`, '', '| | |', '|---|---|', ...lines, ''].join('\n');
}

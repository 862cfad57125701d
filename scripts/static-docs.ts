// `npm run docs -- --server https://braid.example`: the documentation page as one file to host anywhere, build/docs/index.html. Nothing in it comes from elsewhere.
// `--document FILE` takes another document than schemas/openapi.json, as GET /openapi.json of a running service gives it; `--out FOLDER` another folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    document: { type: 'string', default: path.join(root, 'schemas/openapi.json') },
    out: { type: 'string', default: path.join(root, 'build/docs') },
  },
});
const packaged = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const read = (name: string) => readFileSync(path.join(packaged, name), 'utf8');
/** A script ends at the first end tag, wherever that stands. */
const inScript = (text: string) => text.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');

const document = JSON.parse(readFileSync(values.document, 'utf8')) as Record<string, unknown>;
const spec = values.server === undefined ? document : { ...document, servers: [{ url: new URL(values.server).href.replace(/\/+$/, '') }] };
const icon = readFileSync(path.join(packaged, 'favicon-32x32.png')).toString('base64');
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Braid</title>
<link rel="icon" href="data:image/png;base64,${icon}">
<style>${read('swagger-ui.css').replaceAll(/\/\*# sourceMappingURL=.*?\*\//g, '')}</style>
</head>
<body>
<noscript>This page needs JavaScript. The same is in openapi.json.</noscript>
<div id="swagger-ui"></div>
<script>${inScript(read('swagger-ui-bundle.js').replaceAll(/\/\/# sourceMappingURL=.*/g, ''))}</script>
<script>window.ui = SwaggerUIBundle({ spec: ${inScript(JSON.stringify(spec))}, dom_id: '#swagger-ui', deepLinking: true });</script>
</body>
</html>
`;
mkdirSync(values.out, { recursive: true });
const file = path.join(values.out, 'index.html');
writeFileSync(file, page);
console.log(`${file}: ${page.length} characters`);

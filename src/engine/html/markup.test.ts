import { describe, expect, test } from 'vitest';
import { escapeHtml, html } from './markup.ts';

describe('markup', () => {
  test('escapes text in tags and attributes, but not markup', () => {
    const name = `<img src=x onerror="a('b')">&`;
    const inner = html`<b title="${name}">${name}</b>`;
    const text = '&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;';
    expect(html`<p>${[inner, undefined, false, 7]}</p>`.text).toBe(`<p><b title="${text}">${text}</b>7</p>`);
  });

  test('replaces invisible and direction-changing characters with a mark', () => {
    expect(escapeHtml('a\u202eb\u2066c\u200fd\u0000e\u0085f\ufeffg\ud800h')).toBe('a�b�c�d�e�f�g�h');
    expect(escapeHtml('שלום é\u0301 👩‍👧')).toBe('שלום é\u0301 👩‍👧');
  });
});

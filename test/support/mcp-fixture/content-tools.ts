import { textResult } from './fixture-tool.ts';
import type { FixtureTool } from './fixture-tool.ts';
import { PNG, WAV } from './sample-media.ts';

/** Tools that answer at once, with every kind of content. */
export const contentTools: readonly FixtureTool[] = [
  {
    name: 'test_simple_text',
    description: 'Answers with one text',
    run: () => textResult('This is a simple text response for testing.'),
  },
  {
    name: 'test_image_content',
    description: 'Answers with a picture',
    run: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
  },
  {
    name: 'test_audio_content',
    description: 'Answers with a sound',
    run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  },
  {
    name: 'test_embedded_resource',
    description: 'Answers with a resource',
    run: () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  {
    name: 'test_multiple_content_types',
    description: 'Answers with a text, a picture and a resource',
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  },
  {
    name: 'test_error_handling',
    description: 'Always fails',
    run: () => ({
      isError: true,
      ...textResult('This tool intentionally returns an error for testing'),
    }),
  },
];

import { recordIn } from '../../internal/record.ts';

/** Whether a request wants JSON, in any of the protocols or in the options of an SDK. */
export function requiresJson(request: object): boolean {
  const fields = recordIn(request);
  const { response_format, responseFormat, output_format, outputFormat } = fields;
  const nested = [fields['text'], fields['output_config'], fields['outputConfig']];
  const formats = nested.map((settings) => recordIn(settings)['format']);
  return (
    [response_format, responseFormat, output_format, outputFormat, ...formats].some(isJson) ||
    isStructured(fields['ls_structured_output_format'])
  );
}

function isJson(format: unknown): boolean {
  const { type } = recordIn(format);
  return type === 'json_object' || type === 'json_schema' || type === 'json';
}

/** LangChain's `withStructuredOutput` names its method here, whichever provider the model has. */
function isStructured(format: unknown): boolean {
  const { method } = recordIn(recordIn(format)['kwargs']);
  return typeof method === 'string' && method.startsWith('json');
}

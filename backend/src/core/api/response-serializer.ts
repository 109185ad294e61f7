import { ClassSerializerInterceptor, Injectable, type Type } from '@nestjs/common';
import { allowListed, isExposed } from './allow-list.js';

type Options = Parameters<ClassSerializerInterceptor['transformToPlain']>[1];
type Response = ReturnType<ClassSerializerInterceptor['transformToPlain']>;

/**
 * Sends the fields that the response class declares. A route with two kinds of response returns the second one as an
 * instance of its class, which then decides.
 */
@Injectable()
export class ResponseSerializer extends ClassSerializerInterceptor {
  override transformToPlain(response: Response, { type }: Options): Response {
    if (typeof response !== 'object' || (response as unknown) === null) return response;
    // Rows of the database have no constructor.
    const own = response.constructor as Type<object> | undefined;
    const decides = own && isExposed(own) ? own : (type as Type<object> | undefined);
    return decides ? allowListed(decides, response) : response;
  }
}

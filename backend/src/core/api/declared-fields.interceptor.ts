import {
  ClassSerializerInterceptor,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { allowListed, isExposed } from './allow-list.js';
import { acceptYaml } from './yaml-body.js';

type Options = Parameters<ClassSerializerInterceptor['transformToPlain']>[1];
type Response = ReturnType<ClassSerializerInterceptor['transformToPlain']>;

/**
 * Accepts YAML where a route declares it, after the guards, so that clients without access learn nothing about it. Sends the fields that the response class declares. A route with two kinds of response returns the second one as an
 * instance of its class, which then decides. One interceptor, because each adds its own layers to every request.
 */
@Injectable()
export class DeclaredFields extends ClassSerializerInterceptor {
  override intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): ReturnType<ClassSerializerInterceptor['intercept']> {
    if (context.getType() === 'http') acceptYaml(context);
    return super.intercept(context, next);
  }

  override transformToPlain(response: Response, { type }: Options): Response {
    if (typeof response !== 'object' || (response as unknown) === null) return response;
    // Rows of the database have no constructor.
    const own = response.constructor as Type<object> | undefined;
    const decides = own && isExposed(own) ? own : (type as Type<object> | undefined);
    return decides ? allowListed(decides, response) : response;
  }
}
